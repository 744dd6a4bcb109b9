/* C17 7.22.1.2: as glibc, strtol(s, NULL, 10); C leaves open what a value out of range gives. s is a string. */
#include "belay.h"

long atol(const char *s)
{
    return strtol(s, NULL, 10);
}
