// One element is read as a pointer's flag once another is full: it is not 0 then.
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
        if (s.used == 3)
            s.owns = 1;
    }
    if (s.owns)
        return *s.owner; //~ false(valid-deref)
    return 0;
}

//~ options: --engines graph
