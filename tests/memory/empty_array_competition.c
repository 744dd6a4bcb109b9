//~ options: --rules svcomp
/* Competitions take arrays of no length for granted; not those of less. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 3)
        n = 3;
    int a[n]; //~ false(valid-deref)
    for (int i = 0; i < n; i++)
        a[i] = 0;
    return 0;
}
