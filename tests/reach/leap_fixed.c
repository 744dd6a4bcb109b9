//~ options: --property unreach-call
//~ unreach-call: true
// Whatever the number of rounds.
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, h = __VERIFIER_nondet_uint();
    while (i < n) {
        i++;
        h = h * 31 + 7;
    }
    assert(i == n);
    return 0;
}
