//~ all: true
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *n = malloc(sizeof *n);
    n->value = 3;
    n->next = NULL;
    int value = n->value;
    free(n);
    return value - 3;
}
