/* C17 7.21.10.1. The stream is open. */
#include "belay.h"

void clearerr(FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    state->eof = state->error = 0;
}
