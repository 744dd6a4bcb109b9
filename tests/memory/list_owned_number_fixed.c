// Each node owns a number, which is there in all of them.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int *value;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        struct node *made = malloc(sizeof *made);
        made->value = malloc(sizeof *made->value);
        *made->value = i;
        made->next = list;
        list = made;
    }
    for (struct node *at = list; at; at = at->next)
        *at->value = 0;
    while (list) {
        struct node *next = list->next;
        free(list->value);
        free(list);
        list = next;
    }
    return 0;
}
