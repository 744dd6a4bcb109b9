/* The same, with lists of one kind, each of which is given as it is; their blocks are freed. */
//~ options: --engines graph
//~ memsafety: true
//~ memcleanup: true
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
        n->data = 0;
        n->next = bare;
        bare = n;
    }
    length(full);
    while (full) {
        struct node *n = full->next;
        free(full->data);
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
