/* C17 7.12.9.1: any argument; exact. */
#include "real.h"

real REAL(ceil)(real x)
{
    return BUILTIN(ceil)(x);
}
