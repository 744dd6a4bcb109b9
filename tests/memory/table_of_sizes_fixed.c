//~ options: --engines graph
//~ memsafety: true
// Sizes are read from a table that nobody writes to: the least of them is enough.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static const struct {
    short code;
    unsigned size;
} kinds[] = {{7, 64}, {3, 16}, {9, 4096}};

int main(void) {
    unsigned kind = __VERIFIER_nondet_uint() % 3;
    char *block = malloc(kinds[kind].size);
    block[15] = kinds[kind].code;
    free(block);
    return 0;
}
