//~ unreach-call: true
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    void *p = malloc((size_t)-1);
    if (p == NULL)
        assert(errno == ENOMEM);
    free(p);
    return 0;
}
