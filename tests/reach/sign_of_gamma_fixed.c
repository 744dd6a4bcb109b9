// As sign_of_gamma.c, with a function that sets nothing.
#define _DEFAULT_SOURCE
#include <math.h>
//~ unreach-call: true
void reach_error(void);
int main(void) {
    signgam = 7;
    tgamma(2.5);
    if (signgam != 7)
        reach_error();
    return 0;
}
