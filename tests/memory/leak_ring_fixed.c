//~ all: true
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *a = malloc(sizeof *a);
    a->next = malloc(sizeof *a);
    a->next->next = a;
    free(a->next);
    free(a);
    return 0;
}
