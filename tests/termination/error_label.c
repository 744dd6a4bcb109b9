// To termination `ERROR: goto ERROR;` is the endless loop that it is; only unreach-call reads it as an error call.
//~ unreach-call: false(unreach-call)
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    char *block = malloc(3);
    if (x == 5) {
    ERROR:
        goto ERROR; //~ false(termination)
    }
    free(block);
    return 0;
}
