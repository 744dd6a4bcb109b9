//~ all: true
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *n = calloc(1, sizeof *n);
    struct node *m = n->next ? n->next->next : n;
    free(n);
    return m == 0;
}
