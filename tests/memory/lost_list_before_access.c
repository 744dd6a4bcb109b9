// A list is lost before an access that is valid only if the list is empty.
#include <stdlib.h>

//~ options: --engines graph
//~ valid-memtrack: false

extern unsigned char __VERIFIER_nondet_uchar(void);

struct node {
    struct node *next;
};

int main(void) {
    char b[3];
    struct node *head = 0;
    int m = __VERIFIER_nondet_uchar();
    for (int i = 0; i < m; i++) {
        struct node *p = malloc(sizeof *p);
        p->next = head;
        head = p;
    }
    head = 0;
    b[m + 2] = 1;
    return 0;
}
