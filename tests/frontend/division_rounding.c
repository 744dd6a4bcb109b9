//~ all: true
#include <assert.h>

int main(void) {
    int m = -7, n = 2;
    assert(m / n == -3 && m % n == -1 && -m / -n == -3);
    assert((unsigned)m / n == 2147483644u && m >> 1 == -4 && (unsigned)m >> 1 == 2147483644u);
    long long big = -9223372036854775807LL - 1;
    assert(big / 10 == -922337203685477580LL && big % 10 == -8);
    return 0;
}
