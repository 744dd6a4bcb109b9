/* C17 7.21.5.2: 0 or EOF. stream is NULL or open. */
#include "belay.h"

int fflush(FILE *stream)
{
    if (stream != NULL) {
        struct belay_stream *state = __belay_stream(stream);
        if (state->error)
            return belay_failure();
    }
    return belay_attempt();
}
