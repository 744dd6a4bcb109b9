//~ memsafety: true
/* A name that starts as zeros and gets another end now and then. */
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char name[32] = "", from[64];
    memset(from, 'x', sizeof from);
    while (__VERIFIER_nondet_int()) {
        unsigned len = __VERIFIER_nondet_uchar();
        if (len < sizeof name) {
            memcpy(name, from, len);
            name[len] = 0;
        }
    }
    printf("%s\n", name);
    return 0;
}
