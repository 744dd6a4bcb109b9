// Whether an index that is narrower than int is signed is not seen where a vector is subscripted: -2 would be the second of 255 elements from the end, or one before the first.
//~ memsafety: unknown
typedef signed char many __attribute__((vector_size(256)));
extern signed char __VERIFIER_nondet_schar(void);

int main(void) {
    many v = {0};
    signed char i = __VERIFIER_nondet_schar();
    return v[i];
}
