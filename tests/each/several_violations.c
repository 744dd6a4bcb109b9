// Each check has an answer of its own: two are violated, in runs of their own, and hide neither each other nor the two that hold.
//~ options: --each-check --property valid-deref
int __VERIFIER_nondet_int(void);
int a[10], b[10];
int main(void) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (i < 0 || j < 0 || k < 0) return 0;
    if (i < 10) a[i] = 1;                                //~ holds
    if (j <= 10 && __VERIFIER_nondet_int()) a[j] = 1;    //~ violated
    if (k <= 10) b[k] = 1;                               //~ violated
    if (i < 9) b[i + 1] = 1;                             //~ holds
    return 0;
}
