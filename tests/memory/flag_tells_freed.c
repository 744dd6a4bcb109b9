/* Whether there is a block is told by a flag alone. Here it is not put back when the block is freed. */
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    bool have = false;
    int *p = 0;
    while (__VERIFIER_nondet_int()) {
        if (!have) {
            p = malloc(sizeof *p);
            if (!p)
                return 0;
            have = true;
            *p = 0;
        } else {
            *p = 3;
            if (__VERIFIER_nondet_int())
                free(p);
        }
    }
    if (have)
        free(p); //~ false(valid-free)
    return 0;
}
