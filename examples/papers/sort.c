// Bubble sort of an array of any length.
//   belay check --function sort --array a=n examples/papers/sort.c
void sort(int *a, int n) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - i - 1; j++)
            if (a[j] > a[j + 1]) {
                int kept = a[j];
                a[j] = a[j + 1];
                a[j + 1] = kept;
            }
}
