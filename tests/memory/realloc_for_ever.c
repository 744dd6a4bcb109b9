// A block that grows and shrinks for ever, until its pointer goes.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = malloc(1);
    for (unsigned n = 1;; n = n % 5000 + 100) {
        p = realloc(p, n);
        if (__VERIFIER_nondet_int() == 12)
            p = malloc(1);
    }
    return 0;
}

//~ valid-memtrack: false
