/* POSIX.1-2001: strchr. */
#include "belay.h"

char *index(const char *s, int c)
{
    return strchr(s, c);
}
