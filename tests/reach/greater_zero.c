//~ unreach-call: unknown
// Which of two zeros is the greater C leaves open.
#include <assert.h>
#include <math.h>

int main(void) {
    double a = -0.0, b = 0.0;
    double (*greater)(double, double) = fmax;
    assert(1 / greater(a, b) < 0);
    return 0;
}
