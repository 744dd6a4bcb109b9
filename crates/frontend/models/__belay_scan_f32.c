/* A conversion to a float: any number. p points to one. */
#include "scan_step.h"

int __belay_scan_f32(FILE *stream, int done, float *p)
{
    if (!belay_scan_goes_on(stream, &done))
        return done;
    *p = __VERIFIER_nondet_float();
    return done + 1;
}
