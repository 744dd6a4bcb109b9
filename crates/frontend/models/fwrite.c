/* C17 7.21.8.2: any number of elements up to count. p has count * size bytes, which are read. */
#include "belay.h"

size_t fwrite(const void *p, size_t size, size_t count, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    if (size == 0 || count == 0)
        return 0;
    __belay_precondition(count <= SIZE_MAX / size && belay_region(p, count * size), "fwrite: buffer has count elements");
    size_t written = belay_size_at_most(count);
    if (written < count)
        state->error = 1;
    return written;
}
