// A product of complex integers: one of the sums that it is made of overflows.
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 40000) return 0;
    _Complex int z = n + 1i * n;
    z = z * z; //~ unknown(no-overflow)
    return __imag__ z > 3;
}
