// Of 0 the number of leading zeros is undefined: the processor's instruction leaves anything.
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int zeros = __builtin_clz(__VERIFIER_nondet_uint());
    if (zeros < 0 || zeros > 32)
        reach_error(); //~ false(unreach-call)
    return 0;
}
