/* A conversion to an integer of 16 bits: any number from low to high, cut to the type. p points to one. */
#include "scan_step.h"

int __belay_scan_i16(FILE *stream, int done, unsigned short *p, long long low, long long high)
{
    if (!belay_scan_goes_on(stream, &done))
        return done;
    long long value = __VERIFIER_nondet_longlong();
    __VERIFIER_assume(value >= low && value <= high);
    *p = (unsigned short)value;
    return done + 1;
}
