//~ memsafety: false(valid-memtrack)
//~ options: --engines graph,tester,run,nontermination,bmc
// As lost_before_endless_recursion_fixed.c, but the blocks are not freed before the function that never returns is called.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned down(unsigned n) { return down(n + 1); }
static void fill(unsigned n) {
    char *blocks[1000];
    for (unsigned i = 0; i < n; i++)
        blocks[i] = malloc(1);
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 1000)
        return 0;
    fill(n);
    down(0);
    return 0;
}
