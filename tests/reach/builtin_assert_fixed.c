//~ all: true
extern void __VERIFIER_assert(int);
extern void __CPROVER_assert(_Bool, const char *);

int main(void) {
    __VERIFIER_assert(1);
    __VERIFIER_assert(-1);
    __CPROVER_assert(1, "holds");
    return 0;
}
