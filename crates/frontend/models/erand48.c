/* POSIX: any of the numbers k / 2^48 in [0, 1); the state, three numbers, becomes any other. Both follow from the state, which is more than proofs know: no violation rests on it. */
#include "belay.h"

double erand48(unsigned short state[3])
{
    __belay_approximate("erand48");
    for (int i = 0; i < 3; i++)
        state[i] = __VERIFIER_nondet_ushort();
    unsigned long long k = __VERIFIER_nondet_ulonglong();
    __VERIFIER_assume(k < 1ULL << 48);
    return (double)k * 0x1p-48;
}
