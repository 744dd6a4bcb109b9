/* C17 7.21.7.2: a line of any content, at most n - 1 bytes and a NUL. s has n bytes: an input that fills them exists, unless
 * the end was met before. */
#include "belay.h"

char *fgets(char *s, int n, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (n <= 0 || (n > 1 && state->eof && !state->pushed))
        return NULL;
    __belay_precondition(belay_region(s, (size_t)n), "fgets: buffer has n bytes");
    unsigned char failed_before = state->error;
    state->error = 0;
    int i = 0;
    while (i < n - 1) {
        int c = fgetc(stream);
        if (c == EOF)
            break;
        s[i++] = (char)c;
        if (c == '\n')
            break;
    }
    _Bool none = (i == 0 && n > 1) || state->error;
    state->error |= failed_before;
    if (none && state->error && belay_otherwise("what a read that fails leaves is open"))
        __belay_fill(s, (size_t)n);
    if (none)
        return NULL;
    s[i] = '\0';
    return s;
}
