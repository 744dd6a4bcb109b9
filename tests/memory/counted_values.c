// Values that were checked when they were read are indices later on; the check lets one too many pass.
//~ memsafety: false(valid-deref)
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), count[100] = {0};
    if (n < 1 || n > 1000)
        return 0;
    int *read = malloc(n * sizeof *read);
    for (int i = 0; i < n; i++) {
        int value = __VERIFIER_nondet_int();
        read[i] = value < 0 || value > 100 ? 0 : value;
    }
    for (int i = 0; i < n; i++)
        count[read[i]]++;
    free(read);
    return count[3];
}
