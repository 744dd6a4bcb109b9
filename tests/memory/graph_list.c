// The walk looks at the block after the last.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->value = __VERIFIER_nondet_int() == 7;
        node->next = list;
        list = node;
    }
    int ones = 0;
    for (struct node *at = list; at; at = at->next)
        if (at->next->value == 1 && ones < 10) //~ false(valid-deref)
            ones++;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return ones;
}
