// A compound literal of an inner block that is only lent to a function.
static int get(const int *a, int at) {
    return a[at]; //~ false(valid-deref)
}

int main(void) {
    int r = 0;
    for (int i = 0; i < 3; i++) r += get((const int[]){i, 2, 3}, i + 1);
    return r;
}
