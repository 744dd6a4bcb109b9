// What an error function does is checked like other code: it writes to a block that was freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *block;

void reach_error(void) {
    *block = 1; //~ false(valid-deref)
}

int main(void) {
    block = malloc(sizeof *block);
    free(block);
    if (__VERIFIER_nondet_int() == 5) reach_error();
    return 0;
}
