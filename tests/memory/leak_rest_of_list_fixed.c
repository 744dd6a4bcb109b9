//~ all: true
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *a = malloc(sizeof *a);
    a->next = malloc(sizeof *a);
    a->next->next = NULL;
    while (a) {
        struct node *next = a->next;
        free(a);
        a = next;
    }
    return 0;
}
