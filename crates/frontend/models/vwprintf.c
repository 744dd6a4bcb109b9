/* C17 7.29.2.9: the format and every string argument are terminated. The text itself is not kept; the result is exact where
 * only characters and strings are printed, without width or precision, and any count otherwise. */
#include "print.h"

int vwprintf(const wchar_t *format, va_list list)
{
    va_list own;
    va_copy(own, list);
    int count = print_wide(format, &own);
    va_end(own);
    return count;
}
