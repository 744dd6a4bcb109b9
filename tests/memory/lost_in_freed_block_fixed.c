//~ options: --engines graph
//~ valid-memtrack: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    void *data;
};

static struct node *nodes[2];
static void *kept;

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 1)
        return 0;
    nodes[0] = malloc(sizeof(struct node));
    nodes[1] = malloc(sizeof(struct node));
    kept = malloc(4);
    nodes[0]->data = kept;
    nodes[1]->data = 0;
    free(nodes[i]);
    for (;;) {
    }
}
