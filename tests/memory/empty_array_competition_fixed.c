//~ options: --rules svcomp
//~ memsafety: true
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 3 || n < 0)
        n = 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = 0;
    return 0;
}
