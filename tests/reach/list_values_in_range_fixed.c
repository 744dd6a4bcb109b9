// What all nodes of a list hold is within bounds.
//~ options: --engines graph
//~ unreach-call: true
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *made = malloc(sizeof *made);
        made->value = __VERIFIER_nondet_int() & 63;
        made->next = list;
        list = made;
    }
    for (struct node *at = list; at; at = at->next)
        assert(0 <= at->value && at->value <= 63);
    return 0;
}
