/* The state of a stream: static for the three standard ones, the heap block itself for one that was opened. The stream is
 * not null; that it is open is checked by the callers' access to the state. */
#include "belay.h"

struct belay_stream *__belay_stream(FILE *stream)
{
    static struct belay_stream standard[3];
    __belay_precondition(stream != NULL, "stream is not null");
    if (stream == stdin)
        return &standard[0];
    if (stream == stdout)
        return &standard[1];
    if (stream == stderr)
        return &standard[2];
    return (struct belay_stream *)stream;
}
