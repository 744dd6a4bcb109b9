//~ unreach-call: true
void __llbmc_assert(int condition);
void __llbmc_assume(int condition);
void __ESBMC_assert(_Bool, const char *);
void __ESBMC_assume(_Bool);
void ASSERT(int condition);
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __llbmc_assume(x > 3);
    __ESBMC_assume(x < 5);
    __llbmc_assert(x > 3);
    __ESBMC_assert(x < 5, "four");
    ASSERT(x == 4);
    return 0;
}
