//~ memsafety: true
//~ unreach-call: false(unreach-call)
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *block;

void reach_error(void) {
    *block = 1;
}

int main(void) {
    block = malloc(sizeof *block);
    if (__VERIFIER_nondet_int() == 5) reach_error();
    free(block);
    return 0;
}
