// The same with an index that is inside.
//~ options: --each-check --property memsafety,unreach-call
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    int *p = malloc(4 * sizeof *p);
    if (n < 0 || n > 2) { free(p); return 0; }
    p[n] = 7;            //~ holds
    assert(n != 4);      //~ holds
    assert(n != 3);      //~ holds
    assert(p[n] == 7);   //~ holds
    free(p);             //~ holds
    return 0;
}
