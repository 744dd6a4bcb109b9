/* C17 7.24.5.8: strtok_r with one hidden place. A first call with null reads through null. */
#include "belay.h"

char *strtok(char *s, const char *delimiters)
{
    static char *rest;
    return strtok_r(s, delimiters, &rest);
}
