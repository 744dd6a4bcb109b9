/* C17 7.21.7.1: what ungetc pushed back, else any byte, or EOF; bytes do not come for ever. After the end nothing comes until clearerr, fseek or ungetc. */
#include "belay.h"

int fgetc(FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    belay_stream_of_bytes(state);
    if (state->pushed) {
        state->pushed = 0;
        return state->next;
    }
    if (state->eof)
        return EOF;
    if (!belay_stream_gives(state))
        return belay_stream_ends(state);
    return __VERIFIER_nondet_uchar();
}
