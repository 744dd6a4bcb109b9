//~ all: true
#include <assert.h>
#include <limits.h>

int main(void) {
    unsigned x = INT_MAX;
    unsigned y = x + 1;
    assert(y == 0x80000000u);
    y = UINT_MAX;
    assert(y + 1 == 0);
    return 0;
}
