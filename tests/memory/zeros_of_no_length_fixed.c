//~ memsafety: true
/* A block of zeros holds an empty text; this one has a byte. */
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char *p = calloc(1, 1);
    while (__VERIFIER_nondet_int()) {
        free(p);
        p = calloc(__VERIFIER_nondet_uchar() + 1u, 1);
    }
    puts(p);
    free(p);
    return 0;
}
