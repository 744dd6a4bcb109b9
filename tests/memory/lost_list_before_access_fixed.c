// As lost_list_before_access.c, but the list is freed.
#include <stdlib.h>

//~ options: --engines graph
//~ valid-memtrack: true

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
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    b[m + 2] = 1;
    return 0;
}
