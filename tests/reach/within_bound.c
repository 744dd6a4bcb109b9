// The seventh round is within a bound of seven.
//~ options: --unwind 7 --call-depth 5
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), h = __VERIFIER_nondet_uint(), i;
    for (i = 0; i < n; i++) h = h * 31 + 7;
    assert(i != 7); //~ false(unreach-call)
    return h == 0;
}
