/* C17 7.29.6.2.1: whether the state is the initial one; in glibc's C locale no other comes about. state is null or points to an mbstate_t. */
#include "belay.h"

int mbsinit(const mbstate_t *state)
{
    return state == NULL || state->count == 0;
}
