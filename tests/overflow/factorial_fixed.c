//~ options: --integers unbounded
//~ no-overflow: true
//~ unreach-call: true
//~ termination: true
#include <assert.h>

/* 13! fits no int, but has a value among the integers. */
static int factorial(int n) { return n == 0 ? 1 : n * factorial(n - 1); }

int main(void) {
    assert(factorial(13) / factorial(12) == 13);
    assert(factorial(20) > factorial(19));
    return 0;
}
