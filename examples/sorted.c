#include <assert.h>

static void sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i], j = i;
        for (; j > 0 && a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}

/* Nothing wrong here: every property is proved. */
int main(void) {
    int a[] = {9, 4, 7, 1, 8, 2};
    sort(a, 6);
    for (int i = 1; i < 6; i++)
        assert(a[i - 1] <= a[i]);
    return 0;
}
