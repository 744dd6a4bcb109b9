//~ options: --engines graph
//~ valid-memtrack: false
// Which of the blocks is freed is not known; one of them held the only pointer to another.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    void *data;
};

static struct node *nodes[2];

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 1)
        return 0;
    nodes[0] = malloc(sizeof(struct node));
    nodes[1] = malloc(sizeof(struct node));
    nodes[0]->data = malloc(4);
    nodes[1]->data = 0;
    free(nodes[i]);
    for (;;) {
    }
}
