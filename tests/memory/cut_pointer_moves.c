// A loop is cut at its head: a pointer that it moves is not what it was on the way in. Induction alone must not say that it is.
//~ options: --engines kiki --time-limit 3
//~ memsafety: unknown
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[10] = {0}, n = __VERIFIER_nondet_int();
    int *p = a;
    while (n-- > 0) {
        *p = 1;
        p++;
    }
    return 0;
}
