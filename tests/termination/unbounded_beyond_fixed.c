//~ options: --integers unbounded
//~ termination: true
// A quotient of a number beyond the width, counted down.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned b = 2147483647;
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        n--;
    b = b + 2147483647u + 2 + n - n;
    unsigned c = b / 2;
    while (c > 0)
        c--;
    return 0;
}
