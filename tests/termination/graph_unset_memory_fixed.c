//~ options: --engines graph
//~ termination: true
// What was never written is some number, and the same one whenever it is looked at.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void up(int *data) {
    if (data[0] >= data[3])
        return;
    data[0]++;
    up(data);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        n = 1;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        while (a[i] > 0)
            a[i]--;
    free(a);
    int *data = malloc(4 * sizeof *data);
    up(data);
    free(data);
    return 0;
}
