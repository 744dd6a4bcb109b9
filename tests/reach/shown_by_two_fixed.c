//~ options: --engines graph,kiki
//~ unreach-call: true
// Where the pointers are is shown by the graph, what the bits are by k-induction, which takes the accesses for granted.
#include <assert.h>
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000000) return 0;
    unsigned *words = malloc(n * sizeof *words);
    if (!words) return 0;
    unsigned mix = 1;
    for (unsigned *p = words, *end = words + n; p != end; p++) {
        *p = mix;
        mix = mix * 3 >> 1 | 1;
    }
    unsigned *q = words + n;
    while (q != words) { q--; mix = mix ^ *q ^ *q; }
    assert(mix != 0);
    free(words);
    return 0;
}
