//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
// The variable holds something else when the run ends.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *a = malloc(sizeof *a);
    if (!a)
        return 1;
    *a = 1;
    if (__VERIFIER_nondet_int() == 7) {
        a = NULL;
        exit(1);
    }
    free(a);
    return 0;
}
