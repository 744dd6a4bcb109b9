/* C17 7.21.5.4: the stream, as new, or NULL after closing it. path is NULL or a string, mode a string. */
#include "belay.h"

FILE *freopen(const char *path, const char *mode, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (path != NULL)
        strlen(path);
    strlen(mode);
    state->eof = state->error = state->pushed = state->begun = state->there = 0;
    state->descriptor = 0;
    if (__VERIFIER_nondet_bool()) {
        belay_failure();
        fclose(stream);
        return NULL;
    }
    return stream;
}
