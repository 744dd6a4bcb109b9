/* C17 7.12.8.3: any number. signgam becomes 1 or -1, where the library sets it. */
#include "belay.h"

extern int signgam;

double lgamma(double x)
{
    (void)x;
    if (__VERIFIER_nondet_bool())
        signgam = __VERIFIER_nondet_bool() ? 1 : -1;
    return belay_any_result("lgamma");
}
