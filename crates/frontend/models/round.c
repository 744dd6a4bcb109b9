/* C17 7.12.9.6: halves away from zero; any argument; exact. */
#include "real.h"

real REAL(round)(real x)
{
    return BUILTIN(round)(x);
}
