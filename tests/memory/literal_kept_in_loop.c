// A compound literal ends with the block around it: here with each round.
static const int *kept;
static void keep(const int *a) {
    kept = a;
}

int main(void) {
    int r = 0;
    for (int i = 0; i < 3; i++) {
        keep((const int[]){i, 2, 3});
        r += kept[0];
    }
    return r + kept[0]; //~ false(valid-deref)
}
