// A merge sort whose middle is computed in every round: the number that is written to stays in step with both that are read from. The second run goes one too far.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void merge(int *a, int *b, int low, int high) {
    int to = low, left = low, right = (low + high) / 2 + 1;
    while (left < (low + high) / 2 + 1 && right < high + 1) {
        if (a[left] <= a[right])
            b[to++] = a[left++];
        else
            b[to++] = a[right++];
    }
    if (right == high + 1) {
        while (left < (low + high) / 2 + 1) b[to++] = a[left++];
    } else {
        while (right <= high + 1) b[to++] = a[right++]; //~ false(valid-deref)
    }
}

static void sort(int *a, int *b, int low, int high) {
    if (low >= high) return;
    sort(a, b, low, (low + high) / 2);
    sort(a, b, (low + high) / 2 + 1, high);
    merge(a, b, low, high);
    for (int i = low; i <= high; i++) a[i] = b[i];
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10000) return 0;
    int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    if (!a || !b) abort();
    for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
    sort(a, b, 0, n - 1);
    free(a);
    free(b);
    return 0;
}
