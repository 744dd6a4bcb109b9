// As graph_function_table_fixed.c, but one of the functions reads beyond the array. Which function of the table is called is not known.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int first(int *a) { return a[0]; }
static int second(int *a) { return a[1]; }
static int third(int *a) {
    return a[3]; //~ false(valid-deref)
}

static int (*const table[3])(int *) = {first, second, third};

int main(void) {
    int *a = calloc(3, sizeof *a);
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 2)
        k = 0;
    int sum = table[k](a);
    int (*next)(int *) = first;
    for (int i = 0; i < 10; i++) {
        sum |= next(a);
        next = next == first ? second : first;
    }
    free(a);
    return sum;
}
