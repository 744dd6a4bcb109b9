/* C17 7.29.3.1: what ungetwc pushed back, else any wide character, or WEOF. */
#include "belay.h"

wint_t fgetwc(FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (state->pushed == BELAY_PUSHED_WIDE) {
        state->pushed = 0;
        return state->wide;
    }
    if (state->pushed)
        __belay_unsupported("fgetwc: after ungetc");
    if (state->eof)
        return WEOF;
    if (!belay_stream_gives(state)) {
        belay_stream_ends(state);
        return WEOF;
    }
    wint_t c = __VERIFIER_nondet_uint();
    __VERIFIER_assume(c <= 0x7fffffff);
    return c;
}
