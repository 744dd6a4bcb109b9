// As strlen_main.c, but the block is one byte short of the terminator.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int length(char *str) {
    char *s = str;
    while (*s) s++;
    return s - str;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) n = 1;
    char *text = malloc(n);
    text[n] = 0;
    int found = length(text);
    free(text);
    return found < n;
}
