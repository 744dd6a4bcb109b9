//~ options: --integers unbounded --engines graph,its,run
//~ termination: false(termination)
// As unbounded_beyond_fixed.c, but the quotient of a number beyond the width is not 0.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned b = 2147483647;
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        n--;
    b = b + 2147483647u + 2 + n - n;
    unsigned c = b / 2;
    while (c != 0) {
    }
    return 0;
}
