// A subscript of a vector that is read before its first element.
extern int __VERIFIER_nondet_int(void);
typedef float two __attribute__((vector_size(8)));
int main(void)
{
    two v = {1, 2};
    int i = __VERIFIER_nondet_int();
    if (i > 1) return 0;
    return v[i] > 1; //~ false(valid-deref)
}
