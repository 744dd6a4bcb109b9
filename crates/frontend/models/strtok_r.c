/* POSIX. s, or *rest if s is null, and delimiters are strings; the string is written where a token ends. */
#include "belay.h"

char *strtok_r(char *s, const char *delimiters, char **rest)
{
    if (s == NULL)
        s = *rest;
    s += strspn(s, delimiters);
    if (*s == '\0') {
        *rest = s;
        return NULL;
    }
    char *end = s + strcspn(s, delimiters);
    if (*end != '\0')
        *end++ = '\0';
    *rest = end;
    return s;
}
