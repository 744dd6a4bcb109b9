// A block is written to after it was taken out of its ring and freed.
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
        r->after = 0;
    }
    return 0;
}

//~ memsafety: false
