/* glibc's own name of strdup. */
#include "belay.h"

char *strdup(const char *s);

char *__strdup(const char *s)
{
    return strdup(s);
}
