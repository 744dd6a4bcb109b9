/* C17 7.29.3.2: a line of any content, at most n - 1 elements and a NUL. s has n elements: an input that fills them exists, unless
 * the end was met before. */
#include "belay.h"

wchar_t *fgetws(wchar_t *s, int n, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (n <= 0 || (n > 1 && state->eof && !state->pushed))
        return NULL;
    __belay_precondition((size_t)n <= SIZE_MAX / sizeof *s && belay_region(s, (size_t)n * sizeof *s),
                         "fgetws: buffer has n elements");
    unsigned char failed_before = state->error;
    state->error = 0;
    int i = 0;
    while (i < n - 1) {
        wint_t c = fgetwc(stream);
        if (c == WEOF)
            break;
        s[i++] = (wchar_t)c;
        if (c == '\n')
            break;
    }
    _Bool none = (i == 0 && n > 1) || state->error;
    state->error |= failed_before;
    if (none && state->error && belay_otherwise("what a read that fails leaves is open"))
        __belay_fill(s, (size_t)n * sizeof *s);
    if (none)
        return NULL;
    s[i] = 0;
    return s;
}
