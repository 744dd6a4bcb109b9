//~ unreach-call: true
//~ memsafety: true
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 3);
    __VERIFIER_assume(x < 2);
    reach_error();
    return 0;
}
