// A block has the alignment that was asked for, and no more.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *p;
    if (posix_memalign(&p, 32, 10) == 0) {
        assert(((uintptr_t)p & 63) == 0); //~ false(unreach-call)
        free(p);
    }
    return 0;
}
