//~ memsafety: true
int __VERIFIER_nondet_int(void);

int main(void) {
    void *targets[3] = {&&one, &&two};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 1)
        return 0;
    goto *targets[i];
one:
    return 1;
two:
    return 0;
}
