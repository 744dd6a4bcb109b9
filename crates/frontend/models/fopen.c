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
    return calloc(1, sizeof(struct belay_stream));
}
