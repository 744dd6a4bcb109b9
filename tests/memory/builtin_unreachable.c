// Reaching __builtin_unreachable is undefined: an obligation, not an assumption.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 7) {
        __builtin_unreachable(); //~ false(valid-deref)
    }
    return 0;
}
