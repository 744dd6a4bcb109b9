// A library: `belay check examples/library.c --each-function` says what each function needs from its callers.
void count_down(int x, int y) {
    while (x > 0) x -= y;
}

int first_or(const int *values, unsigned n, int otherwise) {
    return n > 0 ? values[0] : otherwise;
}

unsigned length(const char *text) {
    unsigned n = 0;
    while (text[n]) n++;
    return n;
}

int half(int x) {
    return x / 2;
}
