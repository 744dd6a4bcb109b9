// As graph_strcpy_fixed.c, but the copy is one byte short.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void copy_string(char *dst, const char *src) {
    while ((*dst = *src) != '\0') { //~ false(valid-deref)
        dst++;
        src++;
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *text = malloc(n);
    char *copy = malloc(n - 1);
    text[n - 1] = '\0';
    copy_string(copy, text);
    free(text);
    free(copy);
    return 0;
}
