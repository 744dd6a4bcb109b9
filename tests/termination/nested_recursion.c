//~ options: --integers unbounded
//~ termination: false
// From 1 on the function calls itself with what it returns for less, and that is 1 again.
extern int __VERIFIER_nondet_int(void);

int down(int x) {
    if (x == 0)
        return 1;
    return down(down(x - 1) + 1);
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        return 0;
    return down(x);
}
