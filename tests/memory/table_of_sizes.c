// As table_of_sizes_fixed.c, but the table is written to before.
//~ memsafety: false(valid-deref)
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static struct {
    short code;
    unsigned size;
} kinds[] = {{7, 64}, {3, 16}, {9, 4096}};

int main(void) {
    kinds[1].size = 8;
    unsigned kind = __VERIFIER_nondet_uint() % 3;
    char *block = malloc(kinds[kind].size);
    block[15] = kinds[kind].code;
    free(block);
    return 0;
}
