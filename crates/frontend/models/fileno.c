/* POSIX: the stream's descriptor. The stream is open. */
#include "belay.h"

int fileno(FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (stream == stdin)
        return 0;
    if (stream == stdout)
        return 1;
    if (stream == stderr)
        return 2;
    if (state->descriptor == 0)
        state->descriptor = belay_int_between(1, INT_MAX);
    return state->descriptor - 1;
}
