/* malloc that is called through a pointer sets errno as well. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

void *(*allocate)(size_t) = malloc;

int main(void)
{
    errno = 0;
    void *block = allocate((size_t)-1);
    if (!block)
        assert(errno == 0); //~ false(unreach-call)
    free(block);
    return 0;
}
