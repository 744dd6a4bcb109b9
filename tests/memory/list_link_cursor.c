// As list_link_cursor_fixed.c, but the link of a block is read after the block was freed.
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
            free(node);
            *link = node->next; //~ false(valid-deref)
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
