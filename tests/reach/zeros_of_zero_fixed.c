// As zeros_of_zero.c, of numbers that are not 0; and the function that is defined for 0.
//~ unreach-call: true
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned number = __VERIFIER_nondet_uint();
    int ones = __builtin_ffs((int)number);
    if (ones < 0 || ones > 32)
        reach_error();
    if (number == 0)
        return 0;
    int zeros = __builtin_clz(number), below = __builtin_ctz(number);
    if (zeros < 0 || zeros > 31 || below < 0 || below > 31)
        reach_error();
    return 0;
}
