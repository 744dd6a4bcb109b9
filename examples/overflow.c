static int midpoint(int low, int high) { return (low + high) / 2; }

/* Binary search as it stood in libraries for decades. */
static int search(const int *a, int n, int wanted) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int middle = midpoint(low, high);
        if (a[middle] == wanted)
            return middle;
        if (a[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void) {
    int a[] = {1, 3, 5, 7, 9};
    int found = search(a, 5, 7);
    return midpoint(1500000000, 2000000000) + found;
}
