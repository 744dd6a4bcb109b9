// lgamma sets a variable of the library.
#define _DEFAULT_SOURCE
#include <math.h>
void reach_error(void);
int main(void) {
    signgam = 7;
    lgamma(-0.5);
    if (signgam != 7)
        reach_error(); //~ unknown(unreach-call)
    return 0;
}
