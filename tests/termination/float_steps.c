//~ options: --property termination
//~ termination: false
// Where x is large, x - 0.5f is x.
float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float();
    while (x > 1.0f)
        x = x - 0.5f;
    return 0;
}
