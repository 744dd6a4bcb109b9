#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *n = malloc(sizeof *n);
    struct node *m = n->next->next; //~ false(valid-deref)
    free(n);
    return m == n;
}
