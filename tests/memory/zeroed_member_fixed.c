// A member of a zeroed structure that nobody writes is still 0, whatever becomes of the others.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct set {
    int used, owns;
    int *owner;
};

int main(void) {
    struct set s = {0};
    while (__VERIFIER_nondet_int()) {
        s.used = s.used < 9 ? s.used + 1 : 0;
    }
    if (s.owns)
        return *s.owner;
    return 0;
}

//~ options: --engines graph
//~ memsafety: true
