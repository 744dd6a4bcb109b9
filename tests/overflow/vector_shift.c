// An element of a vector is shifted by more than its bits.
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned four __attribute__((vector_size(16)));
int main(void)
{
    four v = {1, 2, 3, 4}, by = {1, 2, 3, __VERIFIER_nondet_uint()};
    v = v << by; //~ false(arithmetic)
    return v[3] > 1;
}
