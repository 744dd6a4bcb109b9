// As graph_strlen_fixed.c, but nothing ends the string.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static unsigned length(const char *str) {
    const char *s = str;
    while (*s) //~ false(valid-deref)
        s++;
    return (unsigned)(s - str);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *buffer = malloc(n);
    buffer[0] = 'a';
    unsigned found = length(buffer);
    free(buffer);
    return found != 0;
}
