/* C17 7.21.7.4: EOF, or a number that is not negative. s is a string. */
#include "belay.h"

int fputs(const char *s, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    strlen(s);
    int result = __VERIFIER_nondet_int();
    __VERIFIER_assume(result >= EOF);
    if (result == EOF)
        state->error = 1;
    return result;
}
