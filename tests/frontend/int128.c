//~ all: true
#include <assert.h>

static unsigned __int128 product(unsigned long long a, unsigned long long b) { return (unsigned __int128)a * b; }

int main(void) {
    unsigned __int128 p = product(0xffffffffffffffffull, 0xffffffffffffffffull);
    assert((unsigned long long)p == 1 && (unsigned long long)(p >> 64) == 0xfffffffffffffffeull);
    __int128 q = -(__int128)5;
    assert(q / 2 == -2 && q % 2 == -1 && (q >> 1) == -3);
    return 0;
}
