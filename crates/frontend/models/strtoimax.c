/* C17 7.8.2.3: strtoll, the widest type being 64 bits. */
#include "belay.h"

intmax_t strtoimax(const char *s, char **end, int base)
{
    return (intmax_t)strtoll(s, end, base);
}
