/* The state of a stream: what it points to. The stream is not null; that it is open is checked by the callers' access to the
 * state. */
#include "belay.h"

struct belay_stream *__belay_stream(FILE *stream)
{
    __belay_precondition(stream != NULL, "stream is not null");
    return (struct belay_stream *)stream;
}
