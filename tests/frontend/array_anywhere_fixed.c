//~ options: --function count --array a=n
//~ memsafety: true
#include <stdint.h>

int count(const short *a, unsigned n) {
    char word[4] = {0};
    if ((uintptr_t)a & 1) word[4] = 0;
    if ((uintptr_t)a & 2) word[3] = 0;
    return n ? a[0] + word[0] : 0;
}
