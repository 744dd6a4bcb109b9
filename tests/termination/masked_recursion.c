//~ termination: false
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned bits(unsigned x) {
    if (x == 0)
        return 0;
    return 1 + bits(x & (x - 2));
}

int main(void) { return (int)bits(__VERIFIER_nondet_uint()); }
