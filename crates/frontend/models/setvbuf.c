/* C17 7.21.5.6: 0 or not. stream is open; buffer is NULL or has `size` bytes. That the stream writes to it later is not modelled. */
#include "belay.h"

int setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    __belay_stream(stream)->next = 0;
    if (mode != 2 && buffer != NULL)
        __belay_precondition(belay_region(buffer, size), "setvbuf: buffer has size bytes");
    return mode < 0 || mode > 2 ? -1 : __VERIFIER_nondet_bool() ? -1 : 0;
}
