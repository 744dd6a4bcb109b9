/* C17 7.29.3.10: one character can be pushed back (C promises no more); WEOF cannot. */
#include "belay.h"

wint_t ungetwc(wint_t c, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (c == WEOF || (state->pushed && __VERIFIER_nondet_bool()))
        return WEOF;
    if (state->pushed)
        __belay_unsupported("ungetwc: a second character pushed back");
    state->eof = 0;
    state->pushed = BELAY_PUSHED_WIDE;
    state->wide = c;
    return c;
}
