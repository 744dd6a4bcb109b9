/* C17 7.12.11.2: a quiet nan. tag is a string; a payload is not modelled. */
#include "belay.h"

double nan(const char *tag)
{
    if (*tag != '\0')
        __belay_unsupported("nan: a payload");
    return __builtin_nan("");
}
