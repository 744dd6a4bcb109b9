//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
// The variable's scope has ended where the run ends, though another way still uses it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int c = __VERIFIER_nondet_int();
    {
        int *p = malloc(sizeof *p);
        if (!p)
            return 1;
        if (c == 5)
            goto out;
        free(p);
    }
    return 0;
out:
    exit(1);
}
