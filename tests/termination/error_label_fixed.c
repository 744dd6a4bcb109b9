//~ termination: true
//~ unreach-call: true
//~ memcleanup: true
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    char *block = malloc(3);
    if (x > 5 && x < 5) {
    ERROR:
        goto ERROR;
    }
    free(block);
    return 0;
}
