// The pointer that is freed is the one that was allocated.
//~ memsafety: true
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        n = 1;
    char *buffer = malloc(n);
    buffer[n - 1] = '\0';
    char *end = buffer;
    while (*end)
        end++;
    free(buffer);
    return 0;
}
