/* C17 7.21.8.1: any number of elements up to count, of any content; fewer only at the end or after an error. p has count * size
 * bytes: an input that fills them exists, unless the end was met before. */
#include "belay.h"

size_t fread(void *p, size_t size, size_t count, FILE *stream)
{
    struct belay_stream *state = __belay_stream(stream);
    unsigned char pushed = state->pushed;
    belay_stream_of_bytes(state);
    if (size == 0 || count == 0)
        return 0;
    if (state->eof && !pushed)
        return 0;
    __belay_precondition(count <= SIZE_MAX / size && belay_region(p, count * size), "fread: buffer has count elements");
    size_t bytes = belay_stream_gives(state) || pushed ? 1 + belay_size_at_most(count * size - 1) : 0;
    __belay_fill(p, bytes);
    if (pushed)
        *(unsigned char *)p = state->next;
    state->pushed = 0;
    if (bytes < count * size)
        belay_stream_ends(state);
    return bytes / size;
}
