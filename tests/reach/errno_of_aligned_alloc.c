/* aligned_alloc that gives null sets errno. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void)
{
    errno = 0;
    void *block = aligned_alloc(64, (size_t)-64);
    if (!block)
        assert(errno == 0); //~ false(unreach-call)
    free(block);
    return 0;
}
