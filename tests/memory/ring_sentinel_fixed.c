// A ring of blocks with both links, around an object on the stack.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ring {
    struct ring *after, *before;
};

int main(void) {
    struct ring centre;
    centre.after = centre.before = &centre;
    int n = __VERIFIER_nondet_int();
    for (int k = 0; k < n; k++) {
        struct ring *r = malloc(sizeof *r);
        r->after = centre.after;
        r->before = &centre;
        centre.after->before = r;
        centre.after = r;
    }
    while (centre.after != &centre) {
        struct ring *r = centre.after;
        r->before->after = r->after;
        r->after->before = r->before;
        free(r);
    }
    return 0;
}

//~ memsafety: true
