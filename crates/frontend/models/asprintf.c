/* GNU: vasprintf. */
#include "belay.h"

int vasprintf(char **out, const char *format, va_list list);

int asprintf(char **out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vasprintf(out, format, list);
    va_end(list);
    return length;
}
