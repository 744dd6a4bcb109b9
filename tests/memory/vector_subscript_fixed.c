// Subscripts of a vector, read and written, that are below the number of its elements.
//~ memsafety: true
extern int __VERIFIER_nondet_int(void);
typedef int four __attribute__((vector_size(16)));
int main(void)
{
    four v = {0, 0, 0, 0};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3) return 0;
    v[i] = 5;
    return v[3 - i];
}
