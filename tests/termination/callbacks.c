// Functions of several types in one table: each call reaches those of its own type.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct hooks {
    void *(*alloc)(size_t);
    void (*release)(void *);
};
static struct hooks hooks = {malloc, free};

int main(void) {
    const struct hooks *h = &hooks;
    int n = __VERIFIER_nondet_int();
    while (n > 0) { //~ false(termination)
        char *p = h->alloc(8);
        if (!p) break;
        h->release(p);
    }
    return 0;
}
