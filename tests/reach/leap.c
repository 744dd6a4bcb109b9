//~ options: --property unreach-call
// The violation lies behind a million rounds; nothing is unrolled.
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, h = __VERIFIER_nondet_uint();
    while (i < n) {
        i++;
        h = h * 31 + 7;
    }
    assert(i != 1000003u); //~ false(unreach-call)
    return 0;
}
