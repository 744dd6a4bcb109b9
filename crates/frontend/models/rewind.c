/* C17 7.21.9.5: to the start, without the end, an error or a pushed-back byte. */
#include "belay.h"

void rewind(FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    state->eof = state->error = state->pushed = state->begun = state->there = 0;
}
