//~ options: --data-model ILP32
//~ all: true
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

struct mixed {
    char c;
    long long l;
    double d;
};

int main(void) {
    assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8 && sizeof(size_t) == 4);
    assert(LONG_MAX == INT32_MAX);
    /* i386 aligns 64-bit members to 4. */
    assert(offsetof(struct mixed, l) == 4 && sizeof(struct mixed) == 20);
    assert(-1L > 0u);
    assert((uintptr_t)(void *)-1 == 0xffffffffu);
    return 0;
}
