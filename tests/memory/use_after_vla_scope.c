int main(void) {
    int *p = 0;
    for (int n = 1; n < 3; n++) {
        int a[n];
        a[0] = n;
        p = a;
    }
    return p[0]; //~ false(valid-deref)
}
