//~ memsafety: true
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 7 && x > 8) __builtin_unreachable();
    return 0;
}
