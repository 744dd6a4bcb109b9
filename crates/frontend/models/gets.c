/* C99 7.19.7.7: a line without its newline. No buffer is large enough: some input overruns it. */
#include "belay.h"

char *gets(char *s)
{
    size_t length = __VERIFIER_nondet_ulong();
    struct belay_stream *state = __belay_stream(stdin);
    if (state->eof && !state->pushed)
        return NULL;
    if (!belay_stream_gives(state) && !state->pushed) {
        belay_stream_ends(state);
        return NULL;
    }
    __belay_precondition(length < __belay_object_size(s), "gets: line fits the buffer");
    size_t i = 0;
    while (i < length) {
        int c = fgetc(stdin);
        if (c == EOF)
            break;
        if (c == '\n') {
            s[i] = '\0';
            return s;
        }
        s[i++] = (char)c;
    }
    if (i < length && (i == 0 || state->error))
        return NULL;
    state->pushed = 0; /* the newline was, if nothing else */
    s[i] = '\0';
    return s;
}
