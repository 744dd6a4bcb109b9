//~ options: --engines graph
//~ memsafety: true
// A doubly linked list of any length, made by appending and walked from its end.
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
    while (last->prev) {
        last = last->prev;
        last->next->value = 1;
    }
    while (last) {
        struct node *next = last->next;
        free(last);
        last = next;
    }
    return 0;
}
