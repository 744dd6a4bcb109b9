// The length of a string of unknown length, counted by hand: s never runs past the terminator.
//~ all: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static unsigned length(const char *str) {
    const char *s = str;
    while (*s)
        s++;
    return (unsigned)(s - str);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *buffer = malloc(n);
    buffer[n - 1] = '\0';
    unsigned found = length(buffer);
    free(buffer);
    return found != 0;
}
