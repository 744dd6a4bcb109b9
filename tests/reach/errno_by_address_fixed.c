/* malloc that is called through a pointer sets errno as well. */
//~ unreach-call: true
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

void *(*allocate)(size_t) = malloc;

int main(void)
{
    errno = 0;
    void *block = allocate((size_t)-1);
    if (!block)
        assert(errno == ENOMEM);
    free(block);
    return 0;
}
