//~ options: --engines graph
//~ memsafety: true
// A queue of any length with a pointer to its last block, empty at the start.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *first, *last;

static void push(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = NULL;
    if (last)
        last->next = node;
    else
        first = node;
    last = node;
}

static int pop(void) {
    struct node *node = first;
    int value = node->value;
    first = node->next;
    if (!first)
        last = NULL;
    free(node);
    return value;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (first && __VERIFIER_nondet_int())
            pop();
        else
            push(1);
    }
    while (first)
        pop();
    return 0;
}
