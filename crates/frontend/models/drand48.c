/* POSIX: any of the numbers k / 2^48 in [0, 1). */
#include "belay.h"

double drand48(void)
{
    __belay_seeds48.drawn = 1;
    unsigned long long k = __VERIFIER_nondet_ulonglong();
    __VERIFIER_assume(k < 1ULL << 48);
    return (double)k * 0x1p-48;
}
