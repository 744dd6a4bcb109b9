// 2^64 + 1 needs 65 bits, and a long double has 64.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 2;
    long double x = 18446744073709551615.0L;
    x = x + n + n;
    assert(x - n - 18446744073709551615.0L == n); //~ false(unreach-call)
    return 0;
}
