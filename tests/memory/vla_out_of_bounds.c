static int last(int n) {
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a[n]; //~ false(valid-deref)
}

int main(void) { return last(3); }
