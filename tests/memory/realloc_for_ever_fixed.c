// As realloc_for_ever.c, but the block is never lost, wherever in the run one looks.
#include <stdlib.h>

//~ options: --engines tester,nontermination
//~ valid-memtrack: unknown

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = malloc(1);
    for (unsigned n = 1;; n = n % 5000 + 100) {
        p = realloc(p, n);
        if (__VERIFIER_nondet_int() == 12)
            n = 1;
    }
    return 0;
}
