/* __CPROVER_uninterpreted_f(…): any function of its arguments. The results of the first calls are remembered, so that equal arguments give
 * equal results; after that more may come out than any function gives, and no violation rests on it. Addresses are numbers here, so that no block counts
 * as kept because it was an argument once. */
#include "belay.h"

enum { BELAY_CALLS = 6 };

static struct belay_call {
    int function;
    unsigned long long a, b, c, result;
} belay_calls[BELAY_CALLS];
static int belay_count;

unsigned long long __belay_uninterpreted(int function, unsigned long long a, unsigned long long b, unsigned long long c)
{
    for (int i = 0; i < belay_count; i++) {
        const struct belay_call *call = &belay_calls[i];
        if (call->function == function && call->a == a && call->b == b && call->c == c)
            return call->result;
    }
    unsigned long long result = __VERIFIER_nondet_ulonglong();
    if (belay_count == BELAY_CALLS) {
        __belay_approximate("an uninterpreted function is called more often than its results are remembered");
        return result;
    }
    belay_calls[belay_count++] = (struct belay_call){function, a, b, c, result};
    return result;
}
