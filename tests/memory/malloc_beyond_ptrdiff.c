// More than PTRDIFF_MAX bytes are never allocated: n < 0 gives null.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0)
        return 1;
    int *a = malloc(n * sizeof *a);
    a[0] = 1; //~ false(valid-deref)
    free(a);
    return 0;
}
