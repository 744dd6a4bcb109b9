// A run ends at its first invalid access. What stands behind one is judged by the runs that get there.
//~ options: --each-check --property memsafety,unreach-call
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    int *p = malloc(4 * sizeof *p);
    if (n < 0 || n > 4) { free(p); return 0; }
    p[n] = 7;            //~ violated
    assert(n != 4);      //~ holds
    assert(n != 3);      //~ violated
    assert(p[n] == 7);   //~ holds
    free(p);             //~ holds
    return 0;
}
