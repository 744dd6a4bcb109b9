//~ options: --engines graph
//~ memsafety: true
//~ memcleanup: true
// A pointer to a link walks through a list: blocks are put in at their place and taken out on the way.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node), **link = &list;
        node->key = __VERIFIER_nondet_int();
        while (*link && (*link)->key < node->key)
            link = &(*link)->next;
        node->next = *link;
        *link = node;
    }
    struct node **link = &list;
    while (*link) {
        struct node *node = *link;
        if (node->key < 0) {
            *link = node->next;
            free(node);
        } else {
            link = &node->next;
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
