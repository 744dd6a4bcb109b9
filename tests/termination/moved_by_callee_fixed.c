//~ termination: true
extern int __VERIFIER_nondet_int(void);

static void advance(int *at, int step) {
    *at += step;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int step = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n && step > 0 && n < 1000 && step < 1000)
        advance(&i, step);
    return 0;
}
