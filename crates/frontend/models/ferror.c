/* C17 7.21.10.3: whether an operation on this stream failed. The stream is open. */
#include "belay.h"

int ferror(FILE *stream)
{
    return __belay_stream(stream)->error;
}
