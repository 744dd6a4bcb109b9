extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
    __VERIFIER_assume(1);
    reach_error(); //~ false(unreach-call)
}
