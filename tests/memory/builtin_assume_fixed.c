//~ memsafety: true
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 7) return 1;
    __builtin_assume(x != 7);
    return 0;
}
