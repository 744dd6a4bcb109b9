//~ unreach-call: true
extern void __VERIFIER_assume(int);
extern void reach_error(void);

/* No run gets past the assumption. */
int main(void) {
    __VERIFIER_assume(0);
    reach_error();
}
