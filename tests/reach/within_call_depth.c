// Six activations inside each other are five calls that are entered again.
//~ options: --unwind 2 --call-depth 5
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
static void down(unsigned n, unsigned depth) {
    assert(depth != 6); //~ false(unreach-call)
    if (n > 0) down(n - 1, depth + 1);
}
int main(void) {
    down(__VERIFIER_nondet_uint(), 1);
    return 0;
}
