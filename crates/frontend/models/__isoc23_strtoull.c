/* glibc's name of strtoull in C23 programs; binary constants (0b1) are C23's addition. */
#include "belay.h"

unsigned long long __isoc23_strtoull(const char *s, char **end, int base)
{
    const char *p = s;
    while (belay_is_space(*p))
        p++;
    if (*p == '+' || *p == '-')
        p++;
    if ((base == 0 || base == 2) && p[0] == '0' && (p[1] == 'b' || p[1] == 'B') && (p[2] == '0' || p[2] == '1'))
        __belay_unsupported("strtoull: binary constant");
    return strtoull(s, end, base);
}
