/* C17 7.21.10.2: whether a read on this stream met the end. The stream is open. */
#include "belay.h"

int feof(FILE *stream)
{
    return __belay_stream(stream)->eof;
}
