//~ termination: true
extern int __VERIFIER_nondet_int(void);

/* The loop of the BLAS function sasum, without its array: with an increment of 0 it never ends. */
static int sasum(int n, int incx) {
    int nincx = n * incx;
    int rounds = 0;
    for (int i = 0; incx < 0 ? i >= nincx : i <= nincx; i += incx) rounds++;
    return rounds;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int incx = __VERIFIER_nondet_int();
    if (incx <= 0 || incx >= 1000 || n <= 0 || n >= 1000) return 0;
    return sasum(n, incx);
}
