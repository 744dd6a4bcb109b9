/* glibc's own name of strtok_r. */
#include "belay.h"

char *__strtok_r(char *s, const char *delimiters, char **rest)
{
    return strtok_r(s, delimiters, rest);
}
