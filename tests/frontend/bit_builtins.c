//~ all: true
#include <assert.h>

int main(void) {
    unsigned x = 0x00f0;
    assert(__builtin_popcount(x) == 4 && __builtin_clz(x) == 24 && __builtin_ctz(x) == 4 && __builtin_ffs(x) == 5);
    assert(__builtin_ffs(0) == 0 && __builtin_parity(7) == 1 && __builtin_popcountll(-1LL) == 64);
    assert(__builtin_bswap32(0x01020304) == 0x04030201 && __builtin_bswap16(0x0102) == 0x0201);
    assert(__builtin_bswap64(1) == 1ull << 56);
    assert(__builtin_rotateleft32(0x80000001u, 1) == 3 && __builtin_bitreverse8(1) == 128);
    assert((x << 28 | x >> 4) == 0x0000000f && __builtin_expect(x != 0, 1));
    assert(__builtin_constant_p(3) && __builtin_types_compatible_p(int, signed));
    assert(__builtin_choose_expr(1, 7, "no") == 7);
    assert(__builtin_abs(-3) == 3);
    return 0;
}
