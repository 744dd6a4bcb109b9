/* C17 7.8.2.3: strtoull, the widest type being 64 bits. */
#include "belay.h"

uintmax_t strtoumax(const char *s, char **end, int base)
{
    return (uintmax_t)strtoull(s, end, base);
}
