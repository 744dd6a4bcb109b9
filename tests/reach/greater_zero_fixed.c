//~ unreach-call: true
#include <assert.h>
#include <math.h>

int main(void) {
    double a = -0.0, b = 0.0;
    double (*greater)(double, double) = fmax;
    assert(greater(a, b) == 0);
    return 0;
}
