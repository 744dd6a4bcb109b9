// A product of small complex integers.
//~ no-overflow: true
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 20000) return 0;
    _Complex int z = n + 1i * n;
    z = z * z;
    return __imag__ z > 3;
}
