//~ unreach-call: false
// POSIX: an allocation that fails sets errno.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    errno = 0;
    void *p = malloc((size_t)-1);
    assert(errno == 0);
    free(p);
    return 0;
}
