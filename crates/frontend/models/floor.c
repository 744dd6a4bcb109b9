/* C17 7.12.9.2: any argument; exact. */
#include "real.h"

real REAL(floor)(real x)
{
    return BUILTIN(floor)(x);
}
