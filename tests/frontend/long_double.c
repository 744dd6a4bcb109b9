//~ all: true
#include <assert.h>
#include <float.h>
#include <math.h>

static long double power(long double x, unsigned n) {
    long double result = 1;
    for (; n > 0; n--)
        result *= x;
    return result;
}

int main(void) {
    long double third = 1.0L / 3, ten = 10, tiny = LDBL_MIN / 4;
    assert(third * 3 == 1 && third != 1.0 / 3 && (double)third == 1.0 / 3);
    assert(third + third + third == 1 && third - third == 0 && -third < 0);
    assert(power(ten, 27) == 1e27L && power(ten, 28) / ten == 1e27L);
    assert((long)(power(2, 62) + 1) == 4611686018427387905 && (unsigned long)power(2, 63) == 1ul << 63);
    assert((int)-7.9L == -7 && (long double)-3 == -3.0L && (float)16777217.0L == 16777216.0f);
    assert(tiny > 0 && tiny * 4 == LDBL_MIN && LDBL_MAX * 2 > LDBL_MAX && LDBL_MAX * 2 == LDBL_MAX * 4);
    long double nan = LDBL_MAX * 2 - LDBL_MAX * 2;
    assert(nan != nan && !(nan < 1) && !(nan >= 1) && __builtin_fabsl(-2.5L) == 2.5L);
    return 0;
}
