//~ options: --function count --array a=n
// An array of a caller's is aligned as its elements have to be, and no better.
#include <stdint.h>

int count(const short *a, unsigned n) {
    char word[4] = {0};
    if ((uintptr_t)a & 1) word[4] = 0;
    if ((uintptr_t)a & 2) word[4] = 0; //~ false(valid-deref)
    return n ? a[0] + word[0] : 0;
}
