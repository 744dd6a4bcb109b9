//~ unreach-call: true
//~ memsafety: true
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *p;
    if (posix_memalign(&p, 32, 10) == 0) {
        assert(((uintptr_t)p & 31) == 0);
        free(p);
    }
    char *q = aligned_alloc(4096, 4096);
    assert((uintptr_t)q % 4096 == 0);
    free(q);
    return 0;
}
