/* C17 7.21.9.4: any position, or -1 with errno set. */
#include "belay.h"

long ftell(FILE *stream)
{
    (void)__belay_stream(stream)->error;
    long position = __VERIFIER_nondet_long();
    __VERIFIER_assume(position >= -1);
    return position == -1 ? belay_failure() : position;
}
