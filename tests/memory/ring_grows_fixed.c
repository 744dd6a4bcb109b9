// A ring of numbers whose capacity is doubled when it is full: its ends are below the capacity, by a mask.
//~ options: --engines graph
//~ memsafety: true
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    size_t cap = 8, first = 0, last = 0;
    int *ring = calloc(cap, sizeof *ring);
    if (!ring)
        return 1;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int()) {
            if (((last + 1) & (cap - 1)) == first) {
                if (cap > 1000000)
                    break;
                int *larger = calloc(2 * cap, sizeof *larger);
                if (!larger)
                    break;
                size_t rest = (cap - first) * sizeof *ring, begin = first * sizeof *ring;
                memcpy(larger, (char *)ring + begin, rest);
                memcpy((char *)larger + rest, ring, begin);
                free(ring);
                ring = larger;
                last = cap - 1;
                first = 0;
                cap *= 2;
            }
            ring[last] = i;
            last = (last + 1) & (cap - 1);
        } else if (first != last) {
            n -= ring[first] & 1;
            first = (first + 1) & (cap - 1);
        }
    }
    free(ring);
    return 0;
}
