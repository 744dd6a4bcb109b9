/* POSIX: any number in [-2^31, 2^31 - 1]; the state, three numbers, becomes any other. Both follow from the state, which is more than proofs know: no violation rests on it. */
#include "belay.h"

long jrand48(unsigned short state[3])
{
    __belay_approximate("jrand48");
    for (int i = 0; i < 3; i++)
        state[i] = __VERIFIER_nondet_ushort();
    return __VERIFIER_nondet_int();
}
