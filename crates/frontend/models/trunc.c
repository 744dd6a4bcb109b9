/* C17 7.12.9.8: any argument; exact. */
#include "real.h"

real REAL(trunc)(real x)
{
    return BUILTIN(trunc)(x);
}
