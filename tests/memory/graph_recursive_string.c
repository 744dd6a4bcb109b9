// As graph_recursive_string_fixed.c, but nothing ends the string.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int length(const char *s) {
    if (*s == 0) //~ false(valid-deref)
        return 0;
    return 1 + length(s + 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *buffer = malloc(n);
    int *other = malloc(sizeof *other);
    *other = 3;
    buffer[0] = 'a';
    int found = length(buffer);
    int four[4];
    four[*other] = found;
    free(buffer);
    free(other);
    return four[3] != 0;
}
