// As copied_in_part.c, but only whole elements are copied.
#include <assert.h>
#include <string.h>

//~ options: --engines values
//~ unreach-call: true

extern int __VERIFIER_nondet_int(void);

static int source[2], target[2];

int main(void) {
    source[0] = 1;
    target[0] = 0x10000;
    memcpy(target, source, __VERIFIER_nondet_int() ? 4 : 8);
    int first = target[0];
    assert(first <= 0x10000);
    return 0;
}
