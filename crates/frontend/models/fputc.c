/* C17 7.21.7.3: the byte, or EOF. The stream is open. */
#include "belay.h"

int fputc(int c, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (__VERIFIER_nondet_bool()) {
        state->error = 1;
        return EOF;
    }
    return (unsigned char)c;
}
