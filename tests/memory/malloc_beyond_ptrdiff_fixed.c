//~ memsafety: true
//~ unreach-call: true
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0)
        return 1;
    int *a = malloc(n * sizeof *a);
    if (a == 0)
        return 1;
    assert(n > 0);
    a[0] = 1;
    int *b = realloc(a, (size_t)-1);
    assert(b == 0);
    assert(calloc((size_t)-1, 16) == 0);
    free(a);
    return 0;
}
