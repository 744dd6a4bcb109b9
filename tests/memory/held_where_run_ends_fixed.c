//~ options: --engines graph
//~ memsafety: true
// A run that ends amid a function ends with what its variables hold.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static void give_up(void) {
    exit(2);
}

int main(void) {
    int *a = malloc(sizeof *a);
    struct node *list = NULL;
    if (!a)
        return 1;
    *a = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            exit(1);
        n->next = list;
        list = n;
        assert(*a != 7);
    }
    if (*a == 3)
        give_up();
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    free(a);
    return 0;
}
