// A copy of 2 or of 6 bytes ends in the middle of an element: what is there then is neither the old number nor the new one.
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static int source[2], target[2];

int main(void) {
    source[0] = 1;
    target[0] = 0x10000;
    memcpy(target, source, __VERIFIER_nondet_int() ? 2 : 6);
    int first = target[0];
    assert(first <= 0x10000); //~ false(unreach-call)
    return 0;
}
