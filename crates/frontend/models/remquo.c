/* C17 7.12.10.3: remainder, exactly; *quotient has the sign of x / y and the last three bits of its magnitude, to nearest. quotient points to an
 * int; it is written only where there is a quotient. */
#include "real.h"

real REAL(remquo)(real x, real y, int *quotient)
{
    if (x != x || y != y)
        return x * y;
    if (x - x != 0 || y == 0)
        return (x * y) / (x * y);
    _Bool negative = __builtin_signbit(x), opposite = negative != (_Bool)__builtin_signbit(y);
    real b = BUILTIN(fabs)(y), a = BUILTIN(fabs)(x);
    int bits = 0;
    const real huge = real_power_of_two(BIAS - 2);
    /* Multiples of the divisor that are not too large are taken off first; what is left is less than twice the divisor. */
    if (b < huge)
        a = REAL(fmod)(a, 8 * b);
    if (b < huge && a >= 4 * b) {
        a -= 4 * b;
        bits += 4;
    }
    if (b < 2 * huge && a >= 2 * b) {
        a -= 2 * b;
        bits += 2;
    }
    if (b < real_power_of_two(2 - BIAS)) {
        if (a + a > b) {
            a -= b;
            bits++;
            if (a + a >= b) {
                a -= b;
                bits++;
            }
        }
    } else if (a > b / 2) {
        real half = b / 2;
        a -= b;
        bits++;
        if (a >= half) {
            a -= b;
            bits++;
        }
    }
    bits &= 7;
    *quotient = opposite ? -bits : bits;
    if (a == 0)
        a = 0;
    return negative ? -a : a;
}
