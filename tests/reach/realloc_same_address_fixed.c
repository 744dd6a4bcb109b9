//~ unreach-call: true
//~ memsafety: true
// Blocks that lived together differ; that a block moved is not known of one that was made anew.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    char *other = malloc(4);
    char *p = malloc(4);
    char *q = realloc(p, 8);
    assert(q != other);
    assert(q != 0);
    free(q);
    free(other);
    return 0;
}
