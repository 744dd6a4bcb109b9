// As graph_bubble_sort_fixed.c, but the inner loop goes one too far.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void bubble_sort(int *array, int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - i; j++)
            if (array[j] > array[j + 1]) { //~ false(valid-deref)
                int kept = array[j];
                array[j] = array[j + 1];
                array[j + 1] = kept;
            }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    int *array = malloc(n * sizeof *array);
    bubble_sort(array, n);
    free(array);
    return 0;
}
