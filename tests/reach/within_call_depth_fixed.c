// One more is beyond the bound.
//~ options: --unwind 2 --call-depth 5
//~ unreach-call: unknown(no violation in the first 2 rounds of any loop and 5 nested calls, checked)
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
static void down(unsigned n, unsigned depth) {
    assert(depth != 7);
    if (n > 0) down(n - 1, depth + 1);
}
int main(void) {
    down(__VERIFIER_nondet_uint(), 1);
    return 0;
}
