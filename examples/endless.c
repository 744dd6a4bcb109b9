#include <stdio.h>

/* Newton's method in integers: for some numbers it never settles. */
static unsigned root(unsigned n) {
    unsigned x = n, next = (x + n / x) / 2;
    while (next != x) {
        x = next;
        next = (x + n / x) / 2;
    }
    return x;
}

int main(void) {
    printf("%u\n", root(16));
    printf("%u\n", root(24));
    return 0;
}
