/* C17 7.21.5.5: stream is open; buffer is NULL or has BUFSIZ (8192) bytes; then the stream uses it from now on, which is not
 * followed. */
#include "belay.h"

void setbuf(FILE *stream, char *buffer)
{
    __belay_stream(stream)->next = 0;
    if (buffer != NULL) {
        __belay_precondition(belay_region(buffer, 8192), "setbuf: buffer has BUFSIZ bytes");
        belay_lends_buffer();
    }
}
