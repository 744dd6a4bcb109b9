// The size in a copy of a constant is one past the last byte.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct kind {
    int (*equal)(const void *, const void *);
    void (*drop)(void *);
    int size;
};

static int is_same(const void *a, const void *b) { return a == b; }

int main(void) {
    struct kind kind = {is_same, free, 24};
    int n = __VERIFIER_nondet_int();
    for (int k = 0; k < n; k++) {
        char *p = malloc(24);
        p[kind.size] = (char)kind.equal(p, p);
        kind.drop(p);
    }
    return 0;
}

//~ memsafety: false
