/* C17 7.21.5.6: 0 or not. stream is open; buffer is NULL or has `size` bytes; then the stream uses it from now on, which is not followed. */
#include "belay.h"

int setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    __belay_stream(stream)->next = 0;
    if (mode != 2 && buffer != NULL) {
        __belay_precondition(belay_region(buffer, size), "setvbuf: buffer has size bytes");
        belay_lends_buffer();
    }
    return mode < 0 || mode > 2 ? -1 : __VERIFIER_nondet_bool() ? -1 : 0;
}
