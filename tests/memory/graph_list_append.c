//~ memsafety: false(valid-memtrack)
// What belongs to a block is lost with it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int *data;
};

static struct node *make(void) {
    struct node *node = malloc(sizeof *node);
    node->next = NULL;
    node->data = NULL;
    if (__VERIFIER_nondet_int()) {
        node->data = malloc(sizeof *node->data);
        *node->data = 3;
    }
    return node;
}

int main(void) {
    struct node *list = make(), *end = list;
    while (__VERIFIER_nondet_int()) {
        end->next = make();
        end = end->next;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
