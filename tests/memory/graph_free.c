// As graph_free_fixed.c, but the pointer that is freed has moved.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *buffer = malloc(n);
    buffer[n - 1] = '\0';
    while (*buffer)
        buffer++;
    free(buffer); //~ false(valid-free)
    return 0;
}
