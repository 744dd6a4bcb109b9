// As sasum.c, but the array is one element short.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static float sasum(int n, const float *sx, int incx) {
    float sum = 0;
    for (int i = 0; i < n; i += incx) sum += sx[i] < 0 ? -sx[i] : sx[i];
    return sum;
}

int main(void) {
    int n = __VERIFIER_nondet_int(), incx = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000 || incx < 1 || incx > 1000) return 0;
    float *sx = calloc(n - 1, sizeof *sx);
    float sum = sasum(n, sx, incx);
    free(sx);
    return sum > 0;
}
