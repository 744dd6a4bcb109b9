/* POSIX: any number in [-2^31, 2^31 - 1]; the state, three numbers, becomes any other. */
#include "belay.h"

long jrand48(unsigned short state[3])
{
    for (int i = 0; i < 3; i++)
        state[i] = __VERIFIER_nondet_ushort();
    return __VERIFIER_nondet_int();
}
