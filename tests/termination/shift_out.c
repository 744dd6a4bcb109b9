//~ termination: false
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int x = __VERIFIER_nondet_uint(); int n = 0;
    while (x) { x >>= 1; n++; }
    return n;
}
