/* C17 7.21.5.3: NULL with errno set, or a new stream: a heap block that fclose frees. path and mode are strings. */
#include "belay.h"

FILE *fopen(const char *path, const char *mode)
{
    strlen(path);
    strlen(mode);
    if (__VERIFIER_nondet_bool()) {
        belay_failure();
        return NULL;
    }
    struct belay_stream *state = calloc(1, sizeof *state);
    if (state != NULL) {
        /* 0 by calloc already: said of each field, it outlasts the loops that change some of them. */
        state->eof = state->error = state->pushed = state->next = 0;
        state->wide = 0;
        state->begun = state->there = state->told = state->closed = 0;
        state->descriptor = 0;
        state->left = 0;
    }
    return (FILE *)state;
}
