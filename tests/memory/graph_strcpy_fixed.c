// Copies a string of unknown length into a buffer of the same size: dst - copy stays src - text.
//~ all: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void copy_string(char *dst, const char *src) {
    while ((*dst = *src) != '\0') {
        dst++;
        src++;
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *text = malloc(n);
    char *copy = malloc(n);
    text[n - 1] = '\0';
    copy_string(copy, text);
    free(text);
    free(copy);
    return 0;
}
