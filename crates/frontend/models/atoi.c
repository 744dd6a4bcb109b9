/* C17 7.22.1.2: as glibc, (int)strtol(s, NULL, 10); C leaves open what a value out of range gives. s is a string. */
#include "belay.h"

int atoi(const char *s)
{
    return (int)strtol(s, NULL, 10);
}
