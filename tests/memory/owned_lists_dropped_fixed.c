/* Each node owns a list of parts, which is freed before it. */
//~ options: --engines graph
//~ memsafety: true
//~ memcleanup: true
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
        n->parts = 0;
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list->next;
        while (list->parts) {
            struct part *p = list->parts->next;
            free(list->parts);
            list->parts = p;
        }
        free(list);
        list = n;
    }
    return 0;
}
