/* C23 7.12.9.8: halves to even; any argument; exact. */
#include "real.h"

real REAL(roundeven)(real x)
{
    return BUILTIN(roundeven)(x);
}
