/* The program's own function of that name, which is what is run. */
extern void abort(void);
extern void reach_error(void);

void __VERIFIER_assert(int condition) {
    if (!condition) {
        reach_error(); //~ false(unreach-call)
        abort();
    }
}

int main(void) {
    __VERIFIER_assert(1);
    __VERIFIER_assert(0);
    return 0;
}
