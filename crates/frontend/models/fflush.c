/* C17 7.21.5.2: 0 or EOF; 0 for the standard streams, to which output succeeds unless --io-may-fail is given. stream is NULL or open. */
#include "belay.h"

int fflush(FILE *stream)
{
    if (stream != NULL) {
        struct belay_stream *state = __belay_stream(stream);
        if (state->error)
            return belay_failure();
        if (belay_is_standard(stream) && !__belay_io_may_fail)
            return 0;
    }
    return belay_attempt();
}
