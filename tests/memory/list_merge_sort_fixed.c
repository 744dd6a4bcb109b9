//~ memsafety: true
// A list is sorted by recursion: halves are sorted, and merged by a function that gives one list back for two.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *merged(struct node *a, struct node *b) {
    if (!a) return b;
    if (!b) return a;
    if (a->key < b->key) {
        a->next = merged(a->next, b);
        return a;
    }
    b->next = merged(a, b->next);
    return b;
}

static struct node *sorted(struct node *list) {
    if (!list || !list->next) return list;
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *half = slow->next;
    slow->next = NULL;
    return merged(sorted(list), sorted(half));
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node) break;
        node->key = __VERIFIER_nondet_int();
        node->next = list;
        list = node;
    }
    list = sorted(list);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
