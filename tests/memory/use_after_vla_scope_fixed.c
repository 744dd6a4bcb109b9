//~ all: true
int main(void) {
    int last = 0;
    for (int n = 1; n < 3; n++) {
        int a[n];
        a[0] = n;
        last = a[0];
    }
    return last - 2;
}
