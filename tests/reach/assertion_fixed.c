//~ all: true
#include <assert.h>

int main(void) {
    int x = 3;
    x *= 2;
    assert(x == 6);
    return 0;
}
