//~ all: true
#include <assert.h>

int main(void) {
    unsigned _BitInt(5) a = 31;
    a += 1;
    assert(a == 0);
    signed _BitInt(24) b = -8388608;
    assert(b < 0 && (int)b == -8388608);
    return 0;
}
