//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *a = malloc(sizeof *a);
    a->next = malloc(sizeof *a);
    a->next->next = NULL;
    free(a);
    return 0;
}
