/* POSIX.1-2001: strrchr. */
#include "belay.h"

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}
