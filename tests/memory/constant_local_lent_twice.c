// A function writes through its parameter. It is lent a constant local in two places, one of which no run comes to: what is found at one call says nothing of the other.
//~ memsafety: unknown(declared const)
int __VERIFIER_nondet_int(void);

static void set(int *p) {
    *p = 2;
}

static int first(int n) {
    const int x = 1;
    set((int *)&x);
    if (n != n)
        set((int *)&x);
    return x;
}

static int second(int n) {
    const int x = 1;
    if (n != n)
        set((int *)&x);
    set((int *)&x);
    return x;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    return n > 0 ? first(n) : second(n);
}
