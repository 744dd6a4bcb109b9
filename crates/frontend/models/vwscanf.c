/* C17 7.29.2.10: vfwscanf of stdin. */
#include "belay.h"

int vwscanf(const wchar_t *format, va_list args)
{
    return vfwscanf(stdin, format, args);
}
