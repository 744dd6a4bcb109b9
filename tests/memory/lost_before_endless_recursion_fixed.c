//~ memsafety: true
// Blocks that are freed before a function is called that never returns.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned down(unsigned n) { return down(n + 1); }
static void fill(unsigned n) {
    char *blocks[1000];
    for (unsigned i = 0; i < n; i++)
        blocks[i] = malloc(1);
    for (unsigned i = 0; i < n; i++)
        free(blocks[i]);
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 1000)
        return 0;
    fill(n);
    down(0);
    return 0;
}
