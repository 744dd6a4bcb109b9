// A subscript of a vector beyond its elements.
extern int __VERIFIER_nondet_int(void);
typedef int four __attribute__((vector_size(16)));
int main(void)
{
    four v = {0, 0, 0, 0};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4) return 0;
    v[i] = 5; //~ false(valid-deref)
    return v[3];
}
