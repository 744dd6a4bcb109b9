/* Nodes own lists of parts, later ones say nothing of theirs: what is known of all nodes must not drop the parts of the first. */
//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
//~ memcleanup: false
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct part { struct part *next; };
struct node { struct node *next; struct part *parts; };

int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->parts = 0;
        while (__VERIFIER_nondet_int()) {
            struct part *p = malloc(sizeof *p);
            p->next = n->parts;
            n->parts = p;
        }
        n->next = list;
        list = n;
    }
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
