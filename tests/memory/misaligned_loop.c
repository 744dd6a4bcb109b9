//~ options: --check-alignment
// A pointer that walks through an array of any length, begun in the middle of a number.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int odd(int *from, int *end) {
    int count = 0;
    while (from < end)
        count += *from++ & 1; //~ false(valid-deref)
    return count;
}

int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    if (length < 1 || length > 1000000)
        return 0;
    int *array = calloc(length + 1, sizeof(int));
    int result = odd((int *)((char *)array + 2), array + length);
    free(array);
    return result < 0;
}
