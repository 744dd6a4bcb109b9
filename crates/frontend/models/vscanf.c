/* C17 7.21.6: vfscanf of stdin. */
#include "belay.h"

int vscanf(const char *format, va_list args)
{
    return vfscanf(stdin, format, args);
}
