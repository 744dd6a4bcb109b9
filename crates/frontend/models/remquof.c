/* C17 7.12.10.3: remainderf, exactly; *quotient has the sign of x / y and the last three bits of its magnitude, to nearest. quotient points to an
 * int; it is written only where there is a quotient. */
#include "belay.h"

float remquof(float x, float y, int *quotient)
{
    if (x != x || y != y)
        return x * y;
    if (x - x != 0 || y == 0)
        return (x * y) / (x * y);
    _Bool negative = __builtin_signbit(x), opposite = negative != (_Bool)__builtin_signbit(y);
    float b = __builtin_fabsf(y), a = __builtin_fabsf(x);
    int bits = 0;
    /* Multiples of the divisor that are not too large are taken off first; what is left is less than twice the divisor. */
    if (b < 0x1p125f)
        a = fmodf(a, 8 * b);
    if (b < 0x1p125f && a >= 4 * b) {
        a -= 4 * b;
        bits += 4;
    }
    if (b < 2 * 0x1p125f && a >= 2 * b) {
        a -= 2 * b;
        bits += 2;
    }
    if (b < 0x1p-125f) {
        if (a + a > b) {
            a -= b;
            bits++;
            if (a + a >= b) {
                a -= b;
                bits++;
            }
        }
    } else if (a > 0.5f * b) {
        float half = 0.5f * b;
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
