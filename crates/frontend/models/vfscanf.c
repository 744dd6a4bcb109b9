/* C17 7.21.6.9: the stream's content is arbitrary, see scan_stream.h. format is a string; the pointers have room: %s and %[ without a width
 * overrun any buffer. */
#define CHAR char
#define WIDE 0
#include "scan_stream.h"

int vfscanf(FILE *stream, const char *format, va_list args)
{
    return belay_scan_stream(stream, format, args);
}
