/* C17 7.29.3.4: -1, or a number that is not negative. s is a wide string. */
#include "belay.h"

int fputws(const wchar_t *s, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    wcslen(s);
    int result = __VERIFIER_nondet_int();
    __VERIFIER_assume(result >= -1);
    if (result == -1)
        state->error = 1;
    return result;
}
