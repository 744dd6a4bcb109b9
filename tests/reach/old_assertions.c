// LLBMC's, ESBMC's and LoopFrog's ways to write an assertion.
void __llbmc_assert(int condition);
void __llbmc_assume(int condition);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __llbmc_assume(x > 3);
    __llbmc_assert(x > 4); //~ false(unreach-call)
    return 0;
}
