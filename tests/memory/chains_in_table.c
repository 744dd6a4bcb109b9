// A table of chains: each element owns a list, but a new block takes the place of the chain.
//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct node {
    int key;
    struct node *next;
};

static struct node *table[8];

int main(void) {
    while (__VERIFIER_nondet_uchar()) {
        unsigned at = __VERIFIER_nondet_uchar() % 8;
        struct node *made = malloc(sizeof *made);
        made->key = at;
        made->next = NULL;
        table[at] = made;
    }
    for (int i = 0; i < 8; i++)
        while (table[i]) {
            struct node *first = table[i];
            table[i] = first->next;
            free(first);
        }
    return 0;
}
