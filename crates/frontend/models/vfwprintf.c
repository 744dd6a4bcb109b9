/* C17 7.29.2.5: the format and every string argument are terminated, the stream is open. The text itself is not kept; the result is exact
 * where only characters and strings are printed, without width or precision, and any count otherwise. */
#include "print.h"

int vfwprintf(FILE *stream, const wchar_t *format, va_list list)
{
    (void)__belay_stream(stream);
    va_list own;
    va_copy(own, list);
    int count = print_wide(format, &own);
    va_end(own);
    return count;
}
