/* C17 7.29.3.1: any wide character, or WEOF. Pushed-back characters are not modelled. */
#include "belay.h"

wint_t fgetwc(FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (state->pushed)
        __belay_unsupported("fgetwc: after ungetc");
    if (state->eof)
        return WEOF;
    if (__VERIFIER_nondet_bool()) {
        belay_stream_ends(state);
        return WEOF;
    }
    wint_t c = __VERIFIER_nondet_uint();
    __VERIFIER_assume(c <= 0x7fffffff);
    return c;
}
