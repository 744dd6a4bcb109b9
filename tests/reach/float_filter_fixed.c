//~ unreach-call: true
// A filter of inputs in [-1, 1]: its state stays within bounds, for ever.
extern double __VERIFIER_nondet_double(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

int main(void)
{
    double state = 0.0;
    while (__VERIFIER_nondet_int()) {
        double input = __VERIFIER_nondet_double();
        __VERIFIER_assume(input >= -1.0 && input <= 1.0);
        state = 0.7 * state + input;
        __VERIFIER_assert(state >= -4.0 && state <= 4.0);
    }
    return 0;
}
