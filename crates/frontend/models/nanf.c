/* C17 7.12.11.2: a quiet nan. tag is a string; a payload is not modelled. */
#include "belay.h"

float nanf(const char *tag)
{
    if (*tag != '\0')
        __belay_unsupported("nanf: a payload");
    return __builtin_nanf("");
}
