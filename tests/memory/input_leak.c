//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char *p = malloc(1);
    if (__VERIFIER_nondet_bool())
        return 1;
    free(p);
    return 0;
}
