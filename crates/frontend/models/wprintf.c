/* C17 7.29.2.11: the format and every string argument are terminated. The text itself is not kept; the result is exact where
 * only characters and strings are printed, without width or precision, and any count otherwise. */
#include "print.h"

int wprintf(const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = print_wide(format, &list);
    va_end(list);
    return count;
}
