/* A conversion to a double: any number. p points to one. */
#include "scan_step.h"

int __belay_scan_f64(FILE *stream, int done, double *p)
{
    if (!belay_scan_goes_on(stream, &done))
        return done;
    *p = __VERIFIER_nondet_double();
    return done + 1;
}
