//~ memsafety: true
// A list that is made in phases, each with a number in its nodes: walks end at the first node of the next phase, not at the end of the list.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int kind;
};

static struct node *append(struct node *last, int kind) {
    struct node *node = malloc(sizeof *node);
    if (!node) exit(1);
    last->kind = kind;
    last->next = node;
    return node;
}

int main(void) {
    struct node *list = malloc(sizeof *list), *last = list;
    if (!list) return 1;
    while (__VERIFIER_nondet_int()) last = append(last, 1);
    while (__VERIFIER_nondet_int()) last = append(last, 2);
    last->kind = 3;
    last->next = NULL;
    struct node *walk = list;
    while (walk->kind == 1) walk = walk->next;
    while (walk->kind == 2) walk = walk->next;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
