//~ memsafety: true
static int get(const int *a, int at) {
    return a[at];
}

int main(void) {
    int r = 0;
    for (int i = 0; i < 3; i++) r += get((const int[]){i, 2, 3}, i);
    return r;
}
