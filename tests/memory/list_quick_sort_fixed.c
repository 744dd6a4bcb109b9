//~ memsafety: true
// A list of places in an array is sorted in place by recursion: the head is a pointer that the function changes, the result the last node.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct node {
    int *key;
    struct node *next;
};

static int keys[16];

static struct node *sort(struct node **list) {
    if (!*list || !(*list)->next) return *list;
    struct node *pivot = *list, *less = NULL, *more = NULL, *rover = pivot->next;
    while (rover) {
        struct node *next = rover->next;
        struct node **side = *rover->key < *pivot->key ? &less : &more;
        rover->next = *side;
        *side = rover;
        rover = next;
    }
    struct node *less_end = sort(&less), *more_end = sort(&more);
    *list = less ? less : pivot;
    if (less) less_end->next = pivot;
    pivot->next = more;
    return more ? more_end : pivot;
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        if (!node) break;
        node->key = &keys[__VERIFIER_nondet_uchar() % 16];
        node->next = list;
        list = node;
    }
    sort(&list);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
