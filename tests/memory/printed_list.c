// More bytes are printed into memory than there are.
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *first = NULL;
    char line[16];
    int n = __VERIFIER_nondet_int();
    printf("%d of %s\n", n, "them");
    for (int k = 0; k < n; k++) {
        struct node *p = malloc(sizeof *p);
        p->value = k;
        p->next = first;
        first = p;
    }
    while (first) {
        struct node *p = first;
        snprintf(line, sizeof line + 4, "long-winded node %d", p->value);
        printf("%s\n", line);
        first = p->next;
        free(p);
    }
    return 0;
}

//~ memsafety: false
