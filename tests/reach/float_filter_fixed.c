//~ unreach-call: true
// A rate limiter: the output stays within a step of the inputs' range, for ever.
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

int main(void)
{
    float y = 0.0f;
    while (__VERIFIER_nondet_int()) {
        float x = __VERIFIER_nondet_float(), d = __VERIFIER_nondet_float(), s = y;
        __VERIFIER_assume(x >= -128.0f && x <= 128.0f && d >= 0.0f && d <= 16.0f);
        y = x;
        if (x - s <= -d)
            y = s - d;
        else if (x - s >= d)
            y = s + d;
        __VERIFIER_assert(y >= -129.0f && y <= 129.0f);
    }
    return 0;
}
