/* C17 annex G.5.1: the product of two complex numbers, with infinities recovered. Called by compiled code. */
#include "complex.h"

real_pair __muldc3(real a, real b, real c, real d)
{
    return belay_product(a, b, c, d);
}
