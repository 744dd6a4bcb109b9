// A subscript of a vector is one of its elements.
//~ memsafety: true
extern int __VERIFIER_nondet_int(void);
typedef float two __attribute__((vector_size(8)));
int main(void)
{
    two v = {1, 2};
    int i = __VERIFIER_nondet_int();
    return v[i & 1] > 1;
}
