/* C17 7.22.6.1: the negation of the least value overflows, and is seen as a signed overflow here. */
#include "belay.h"

long labs(long n)
{
    return n < 0 ? -n : n;
}
