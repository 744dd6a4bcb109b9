// The same, with an assertion that is too strong.
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

static float f(float x) { return x - x * x * x / 6.0f + x * x * x * x * x / 120.0f; }
static float slope(float x) { return 1.0f - x * x / 2.0f + x * x * x * x / 24.0f; }

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > -0.8f && x < 0.8f);
    x = x - f(x) / slope(x);
    __VERIFIER_assert(x < 0.1f); //~ false(unreach-call)
    return 0;
}
