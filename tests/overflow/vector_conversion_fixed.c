// Elements of vectors of floats that fit, the last ones that do among them.
//~ arithmetic: true
//~ unreach-call: true
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
typedef float floats __attribute__((vector_size(16)));
typedef int four __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(4)));
int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (!(x > -1 && x < 256)) return 0;
    floats f = {-2147483648.0f, 2147483520.0f, 3, x};
    four v = __builtin_convertvector(f, four);
    floats g = {-0.75f, 255.5f, 3, x};
    bytes b = __builtin_convertvector(g, bytes);
    assert(v[0] == -2147483647 - 1 && v[1] == 2147483520 && b[0] == 0 && b[1] == 255);
    return b[3] > 1;
}
