extern void __VERIFIER_assert(int);

int main(void) {
    __VERIFIER_assert(1);
    __VERIFIER_assert(0); //~ false(unreach-call)
    return 0;
}
