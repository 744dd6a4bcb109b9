// As vector_narrow_index.c, with an index of type int that is asked for.
//~ memsafety: true
typedef signed char many __attribute__((vector_size(256)));
extern signed char __VERIFIER_nondet_schar(void);

int main(void) {
    many v = {0};
    int i = __VERIFIER_nondet_schar();
    return i >= 0 ? v[i] : 0;
}
