// 2^63 + 1 needs 64 bits.
//~ unreach-call: true
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 2;
    long double x = 9223372036854775807.0L;
    x = x + n + n;
    assert(x - n - 9223372036854775807.0L == n);
    return 0;
}
