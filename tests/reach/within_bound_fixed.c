// The eighth is not: nothing is violated within the bound, which is no answer about runs that go further.
//~ options: --unwind 7 --call-depth 5
//~ unreach-call: unknown(no violation in the first 7 rounds of any loop and 5 nested calls, checked)
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), h = __VERIFIER_nondet_uint(), i;
    for (i = 0; i < n; i++) h = h * 31 + 7;
    assert(i != 8);
    return h == 0;
}
