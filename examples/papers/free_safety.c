// Fig. 5 of "2LS for program analysis": the second free reads a block that the first has ended.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *a = malloc(sizeof(int));
    *a = __VERIFIER_nondet_int();

    int **b = malloc(sizeof(int *));
    *b = a;

    free(b);
    free(*b);
    return 0;
}
