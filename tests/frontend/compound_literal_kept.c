// A function that keeps the address: where the literal's life ends is not known.
static const int *kept;
static void keep(const int *a) {
    kept = a;
}
static void pass(const int *a) {
    keep(a);
}

int main(void) {
    int r = 0;
    for (int i = 0; i < 3; i++) {
        pass((const int[]){i, 2, 3}); //~ unknown(valid-deref)
        r += kept[0];
    }
    return r + kept[0];
}
