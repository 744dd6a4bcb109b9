extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);

int from[100000], to[100000];

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    for (int i = 0; i < n; i++) from[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n - 1; i++) to[i] = from[i];
    for (int i = 0; i < n; i++) {
        __VERIFIER_assert(to[i] == from[i]); //~ false(unreach-call)
    }
    return 0;
}
