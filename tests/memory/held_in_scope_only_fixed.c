//~ options: --engines graph
//~ memsafety: true
// The variable is in scope where the run ends, and leads to the block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int c = __VERIFIER_nondet_int();
    {
        int *p = malloc(sizeof *p);
        if (!p)
            return 1;
        if (c == 5)
            exit(1);
        free(p);
    }
    return 0;
}
