// As graph_dll_fixed.c, but a list of one block is walked as well.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
    int value;
};

int main(void) {
    struct node *first = malloc(sizeof *first);
    first->next = first->prev = NULL;
    struct node *last = first;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = NULL;
        node->prev = last;
        last->next = node;
        last = node;
    }
    do {
        last = last->prev;
        last->next->value = 1; //~ false(valid-deref)
    } while (last->prev);
    while (last) {
        struct node *next = last->next;
        free(last);
        last = next;
    }
    return 0;
}
