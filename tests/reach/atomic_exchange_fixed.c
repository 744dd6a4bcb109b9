//~ all: true
// An exchange that finds another value than expected changes nothing, and tells what it found.
#include <assert.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    atomic_int owner = __VERIFIER_nondet_int();
    int before = owner, expected = 0;
    if (atomic_compare_exchange_strong(&owner, &expected, 7))
        assert(before == 0 && owner == 7 && expected == 0);
    else
        assert(before != 0 && owner == before && expected == before);
    return 0;
}
