// A called function ends the run while its caller holds a list.
//~ options: --engines graph
//~ memsafety: true
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static int length(struct node *list) {
    assert(list != NULL);
    int count = 0;
    for (; list; list = list->next)
        count++;
    return count;
}

int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *made = malloc(sizeof *made);
        made->next = list;
        list = made;
    }
    int count = length(list);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return count;
}
