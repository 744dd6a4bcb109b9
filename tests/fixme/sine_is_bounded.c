//~ unreach-call: unknown
// Only bounds of a sine are known: a run that needs one beyond them, or one in particular, is none of the program's.
#include <math.h>

double __VERIFIER_nondet_double(void);
void reach_error(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (sin(x) > 0.5)
        reach_error();
    return 0;
}
