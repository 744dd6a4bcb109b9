/* C17 7.21.5.1: 0 or EOF, 0 for the standard streams unless --io-may-fail is given; the stream is gone either way. The stream is open, and not closed before. */
#include "belay.h"

int fclose(FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    state->error = 0;
    if (belay_is_standard(stream)) {
        state->closed = 1;
        return __belay_io_may_fail ? belay_attempt() : 0;
    }
    free(stream);
    return belay_attempt();
}
