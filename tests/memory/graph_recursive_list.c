// As graph_recursive_list_fixed.c, but the list is looked at after it was freed.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

static struct node *make(int n) {
    if (n <= 0)
        return NULL;
    struct node *node = malloc(sizeof *node);
    node->value = n;
    node->next = make(n - 1);
    return node;
}

static int count(struct node *list) {
    if (!list)
        return 0;
    return 1 + count(list->next); //~ false(valid-deref)
}

static void drop(struct node *list) {
    if (!list)
        return;
    drop(list->next);
    free(list);
}

int main(void) {
    struct node *list = make(__VERIFIER_nondet_int());
    drop(list);
    int found = count(list);
    return found != 0;
}
