/* C17 7.29.2.6: the stream's content is arbitrary, see scan_stream.h. format is a wide string; the pointers have room: %s and %[ without a
 * width overrun any buffer. */
#define CHAR wchar_t
#define WIDE 1
#include "scan_stream.h"

int vfwscanf(FILE *stream, const wchar_t *format, va_list args)
{
    return belay_scan_stream(stream, format, args);
}
