int __VERIFIER_nondet_int(void);

int main(void) {
    void *targets[3] = {&&one, &&two};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return 0;
    goto *targets[i]; //~ false(valid-deref)
one:
    return 1;
two:
    return 0;
}
