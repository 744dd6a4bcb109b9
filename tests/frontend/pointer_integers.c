//~ all: true
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct item { int value; };

/* Pointers through integers and back, a tag in the low bit, and distances. */
int main(void) {
    struct item *p = malloc(2 * sizeof *p);
    p[0].value = 1;
    p[1].value = 2;
    uintptr_t n = (uintptr_t)p;
    assert(((struct item *)n)->value == 1 && ((struct item *)(n + sizeof *p))->value == 2);
    uintptr_t tagged = n | 1;
    assert((tagged & 1) == 1 && ((struct item *)(tagged & ~(uintptr_t)1))->value == 1);
    assert((n & 7) == 0 && n != 0);
    char *start = (char *)p, *stop = (char *)(p + 2);
    assert(stop - start == 8 && start < stop && (uintptr_t)stop - n == 8);
    free(p);
    return 0;
}
