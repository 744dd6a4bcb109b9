// An element of a vector of floats does not fit the integer that it becomes.
extern float __VERIFIER_nondet_float(void);
typedef float floats __attribute__((vector_size(16)));
typedef int four __attribute__((vector_size(16)));
int main(void)
{
    floats f = {1, 2, 3, __VERIFIER_nondet_float()};
    four v = __builtin_convertvector(f, four); //~ false(arithmetic)
    return v[3] > 1;
}
