// The same where the pointer stays in the array.
//~ options: --engines kiki
//~ memsafety: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[10] = {0}, n = __VERIFIER_nondet_int();
    int *p = a;
    for (int i = 0; i < n && i < 10; i++) {
        *p = 1;
        p++;
    }
    return 0;
}
