// A library: `belay check examples/library.c --each-function` says what each function needs from its callers.
#include <stddef.h>

void count_down(int x, int y) {
    while (x > 0) x -= y;
}

int first_or(const int *values, unsigned n, int otherwise) {
    return n > 0 ? values[0] : otherwise;
}

size_t length(const char *text) {
    const char *end = text;
    while (*end) end++;
    return end - text;
}

int half(int x) {
    return x / 2;
}
