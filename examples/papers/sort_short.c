// As sort.c, but the inner loop compares the last element with what comes after it.
//   belay check --function sort --array a=n examples/papers/sort_short.c
void sort(int *a, int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - i; j++)
            if (a[j] > a[j + 1]) {
                int kept = a[j];
                a[j] = a[j + 1];
                a[j + 1] = kept;
            }
}
