/* A recursive function is given lists with and without blocks of their own: the caller still has those. */
//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
//~ memcleanup: false
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int *data; };

static int length(const struct node *list)
{
    return list ? 1 + length(list->next) : 0;
}

int main(void)
{
    struct node *full = 0, *bare = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = malloc(sizeof(int));
        n->next = full;
        full = n;
    }
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = bare;
        bare = n;
    }
    length(bare);
    length(full);
    while (full) {
        struct node *n = full->next;
        free(full);
        full = n;
    }
    while (bare) {
        struct node *n = bare->next;
        free(bare);
        bare = n;
    }
    return 0;
}
