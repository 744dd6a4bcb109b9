//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = malloc(1);
    if (__VERIFIER_nondet_int() > 0) {
        free(p);
        p = NULL;
    }
    free(p);
    return 0;
}
