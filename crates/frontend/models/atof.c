/* C17 7.22.1.1: strtod. s is a string. */
#include "belay.h"

double atof(const char *s)
{
    return strtod(s, NULL);
}
