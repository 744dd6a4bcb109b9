/* C17 7.21.7.10: one byte can be pushed back (C promises no more); EOF cannot. */
#include "belay.h"

int ungetc(int c, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (c == EOF || (state->pushed && __VERIFIER_nondet_bool()))
        return EOF;
    if (state->pushed)
        __belay_unsupported("ungetc: a second byte pushed back");
    state->eof = 0;
    state->pushed = 1;
    state->next = (unsigned char)c;
    return (unsigned char)c;
}
