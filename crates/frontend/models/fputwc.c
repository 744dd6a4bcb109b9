/* C17 7.29.3.3: the character, or WEOF. The stream is open. */
#include "belay.h"

wint_t fputwc(wchar_t c, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (__VERIFIER_nondet_bool()) {
        state->error = 1;
        return WEOF;
    }
    return (wint_t)c;
}
