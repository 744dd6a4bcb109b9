int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __builtin_assume(x != 7); //~ false(valid-deref)
    return 0;
}
