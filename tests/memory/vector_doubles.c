//~ options: --property memsafety
// Grows when it is one too full.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct vector { int *at; size_t used, room; };
static void push(struct vector *v, int x) {
    if (v->used > v->room || !v->room) {
        v->room = v->room ? 2 * v->room : 4;
        int *more = realloc(v->at, v->room * sizeof *more);
        if (!more)
            abort();
        v->at = more;
    }
    v->at[v->used++] = x; //~ false(valid-deref)
}
int main(void) {
    struct vector v = {0, 0, 0};
    while (__VERIFIER_nondet_int())
        push(&v, 1);
    free(v.at);
}
