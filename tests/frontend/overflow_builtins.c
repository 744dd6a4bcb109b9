//~ all: true
#include <assert.h>
#include <limits.h>

int main(void) {
    int r;
    long l;
    unsigned u;
    unsigned char c;
    assert(__builtin_add_overflow(INT_MAX, 1, &r) && r == INT_MIN);
    assert(!__builtin_sub_overflow(5, 7, &r) && r == -2);
    assert(__builtin_mul_overflow(LONG_MAX, 2L, &l) && l == -2);
    assert(__builtin_sub_overflow(1u, 2u, &u) && u == UINT_MAX);
    assert(__builtin_add_overflow(200, 100, &c) && c == 44);
    assert(!__builtin_mul_overflow(-1, -1, &u) && u == 1);
    assert(__builtin_mul_overflow(-1, 1, &u));
    assert(__builtin_saddl_overflow(LONG_MAX, 1, &l) && __builtin_umul_overflow(65536, 65536, &u) && u == 0);
    return 0;
}
