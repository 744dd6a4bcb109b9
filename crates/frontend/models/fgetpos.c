/* C17 7.21.9.1: any position, or an error. position points to an fpos_t. */
#include "belay.h"

int fgetpos(FILE *stream, fpos_t *position)
{
    (void)__belay_stream(stream)->error;
    if (__VERIFIER_nondet_bool())
        return belay_failure();
    position->position = __VERIFIER_nondet_long();
    position->state.count = 0;
    position->state.value = 0;
    return 0;
}
