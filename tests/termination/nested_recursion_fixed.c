//~ options: --integers unbounded
//~ termination: true
// Each call is of less.
extern int __VERIFIER_nondet_int(void);

int down(int x) {
    if (x == 0)
        return 1;
    return down(x - 1) + 1;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        return 0;
    return down(x);
}
