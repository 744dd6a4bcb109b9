/* C17 7.12.11.2: a quiet nan. tag is a string; a payload is not modelled. */
#include "real.h"

real REAL(nan)(const char *tag)
{
    if (*tag != '\0')
        __belay_unsupported("nan: a payload");
    return BUILTIN(nan)("");
}
