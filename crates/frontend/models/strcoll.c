/* C17 7.24.4.3 in the C locale: strcmp. */
#include "belay.h"

int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}
