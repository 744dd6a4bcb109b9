// The loop is only left by an invalid access: that is no end that a proof may rest on.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[2], i = 0, n = __VERIFIER_nondet_int();
    while (1) {
        a[i] = n;
        i++;
    }
    return 0;
}

//~ termination: unknown
