/* C17 7.21.9.4: any position, or -1 with errno set. What a second call gives is more than the library does: no violation rests on it. */
#include "belay.h"

long ftell(FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (state->told)
        __belay_approximate("where a stream is, is not remembered");
    state->told = 1;
    long position = __VERIFIER_nondet_long();
    __VERIFIER_assume(position >= -1);
    return position == -1 ? belay_failure() : position;
}
