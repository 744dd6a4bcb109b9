//~ options: --engines graph
//~ memsafety: true
// Two ways lead to where the run ends; on both the variable leads to the block, or the block is freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    int c = __VERIFIER_nondet_int();
    if (c == 1) {
        free(p);
        p = NULL;
        goto die;
    }
    if (c == 2)
        goto die;
    free(p);
    return 0;
die:
    exit(1);
}
