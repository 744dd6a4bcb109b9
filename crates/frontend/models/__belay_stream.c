/* The state of a stream: what it points to. The stream is not null, and open: the block of one that was closed is gone, and a standard one
 * remembers it. */
#include "belay.h"

struct belay_stream *__belay_stream(FILE *stream)
{
    __belay_precondition(stream != NULL, "stream is not null");
    struct belay_stream *state = (struct belay_stream *)stream;
    unsigned char closed = state->closed;
    if (__belay_closes)
        __belay_precondition(!closed, "stream is open");
    return state;
}
