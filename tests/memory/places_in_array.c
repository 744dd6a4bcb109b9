// Elements that lead to places in one object, or beside it.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int values[4];

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n < 1 || n > 1000)
        return 0;
    int **chosen = malloc(n * sizeof *chosen);
    for (int i = 0; i < n; i++)
        chosen[i] = &values[__VERIFIER_nondet_uchar() % 5];
    for (int i = 0; i < n; i++)
        sum ^= *chosen[i]; //~ false(valid-deref)
    free(chosen);
    return sum;
}
