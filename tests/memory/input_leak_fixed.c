//~ memsafety: true
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char *p = malloc(1);
    int code = __VERIFIER_nondet_bool() ? 1 : 0;
    free(p);
    return code;
}
