// As sort_main.c, but a single element is freed twice.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void sort(int *a, int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - i - 1; j++)
            if (a[j] > a[j + 1]) {
                int kept = a[j];
                a[j] = a[j + 1];
                a[j + 1] = kept;
            }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) n = 1;
    int *a = malloc(n * sizeof *a);
    sort(a, n);
    if (n == 1) free(a);
    free(a);
    return 0;
}
