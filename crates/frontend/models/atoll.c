/* C17 7.22.1.2: as glibc, strtoll(s, NULL, 10); C leaves open what a value out of range gives. s is a string. */
#include "belay.h"

long long atoll(const char *s)
{
    return strtoll(s, NULL, 10);
}
