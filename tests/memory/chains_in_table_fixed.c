// A table of chains: each element owns a list, and a write at any index keeps the others.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    int key;
    struct node *next;
};

int main(void) {
    unsigned size = __VERIFIER_nondet_uchar() + 1;
    struct node **table = calloc(size, sizeof *table);
    while (__VERIFIER_nondet_uchar()) {
        unsigned at = __VERIFIER_nondet_uint() % size;
        struct node *made = malloc(sizeof *made);
        made->key = at;
        made->next = table[at];
        table[at] = made;
    }
    for (unsigned i = 0; i < size; i++)
        while (table[i]) {
            struct node *first = table[i];
            table[i] = first->next;
            free(first);
        }
    free(table);
    return 0;
}
