// As left_by_unreachable.c, but the loop is left.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = 0, n = __VERIFIER_nondet_int();
    while (1) {
        if (i > 100)
            return n;
        i++;
        n ^= 1;
    }
    return n;
}

//~ termination: true
