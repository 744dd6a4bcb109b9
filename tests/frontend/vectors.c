//~ all: true
#include <assert.h>

typedef int four __attribute__((vector_size(16)));
typedef float pair __attribute__((vector_size(8)));
typedef float quad __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));
typedef long long longs __attribute__((vector_size(32)));

static four scaled(four v, int by) { return v * by; }

int main(void) {
    four a = {1, 2, 3, 4}, b = {1, 1, -1, 8};
    four c = a + b, less = a < b;
    assert(c[0] == 2 && c[2] == 2 && c[3] == 12 && less[0] == 0 && less[3] == -1);
    volatile int index = 2;
    a[index] = 70;
    assert(a[index] == 70 && scaled(a, 2)[2] == 140);
    quad f = {0.5f, 1, 2, 4};
    f = f * f - 1;
    assert(f[0] == -0.75f && f[3] == 15);
    pair p = {1, 2}, q = p + p;
    assert(q[0] == 2 && q[1] == 4);
    bytes u = (bytes)(four){0x04030201, 0, 0, -1};
    assert(u[0] == 1 && u[3] == 4 && u[15] == 255);
    longs wide = __builtin_convertvector(c, longs);
    assert(wide[3] == 12 && sizeof wide == 32);
    four mixed = __builtin_shufflevector(c, b, 7, 0, 1, 2);
    assert(mixed[0] == 8 && mixed[1] == 2);
    four chosen = c > 2;
    mixed = (chosen & c) | (~chosen & b);
    assert(mixed[0] == 1 && mixed[3] == 12);
    return 0;
}
