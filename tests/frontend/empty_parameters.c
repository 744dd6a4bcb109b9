//~ all: true
#include <assert.h>

/* Surplus arguments to a function without a prototype are ignored. */
static int zero() { return 0; }
static int (*any)() = zero;

int main() {
    assert(any(1, 2) == 0 && zero() == 0);
    return 0;
}
