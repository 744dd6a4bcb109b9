//~ options: --property memsafety
//~ memsafety: false(valid-deref)
// The pivot takes part in its own partition.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void sort(int *a, int low, int high) {
    if (low >= high)
        return;
    int pivot = a[high], i = low;
    for (int j = low; j <= high; j++)
        if (a[j] <= pivot) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
        }
    int t = a[i];
    a[i] = a[high];
    a[high] = t;
    sort(a, low, i - 2);
    sort(a, i + 1, high);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int *a = calloc(n, sizeof *a);
    sort(a, 0, n - 1);
    free(a);
}
