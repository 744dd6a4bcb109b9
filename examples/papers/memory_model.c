// Fig. 5 of Merz, Sinz and Falke, "A low-level memory model": with argc = 1 both pointers are one block, freed twice.
#include <assert.h>
#include <stdlib.h>

struct S {
    int x;
    struct S *n;
};

int main(int argc, char *argv[]) {
    struct S *p, *q;
    p = malloc(sizeof(struct S));
    p->x = 5;
    p->n = NULL;
    if (argc > 1) {
        q = malloc(sizeof(struct S));
        q->x = 5;
        q->n = p;
    } else {
        q = p;
    }
    assert(p->x + q->x == 10);
    free(q);
    free(p);
    return 0;
}
