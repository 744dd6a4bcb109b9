//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
// Two ways lead to where the run ends; on one of them the variable no longer leads to the block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    int c = __VERIFIER_nondet_int();
    if (c == 1) {
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
