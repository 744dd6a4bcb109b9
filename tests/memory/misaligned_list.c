//~ options: --check-alignment
// The nodes of a list stand behind a header of 4 bytes.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

enum { HEADER = 4 };

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        char *block = malloc(HEADER + sizeof(struct node));
        struct node *node = (struct node *)(block + HEADER);
        node->value = 1; //~ false(valid-deref)
        node->next = list;
        list = node;
    }
    while (list) {
        struct node *next = list->next;
        free((char *)list - HEADER);
        list = next;
    }
    return 0;
}
