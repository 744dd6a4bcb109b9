//~ unreach-call: false
// The new block may lie where the old one lay: what is written under `p == q` is not dead.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    char *q = realloc(p, 8);
    if (p == q) {
        assert(0);
    }
    free(q);
    return 0;
}
