// A called function ends the run while one block of the list is lost.
//~ options: --engines graph
//~ memsafety: false(valid-memtrack)
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
    if (list)
        list = list->next;
    int count = length(list);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return count;
}
