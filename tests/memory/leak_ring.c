//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

struct node {
    struct node *next;
};

/* Two blocks that only reach each other. */
int main(void) {
    struct node *a = malloc(sizeof *a);
    a->next = malloc(sizeof *a);
    a->next->next = a;
    a = NULL;
    return 0;
}
