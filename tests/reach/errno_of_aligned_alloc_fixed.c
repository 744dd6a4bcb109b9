/* aligned_alloc that gives null sets errno. */
//~ unreach-call: true
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void)
{
    errno = 0;
    void *block = aligned_alloc(64, (size_t)-64);
    if (!block)
        assert(errno == ENOMEM);
    free(block);
    return 0;
}
