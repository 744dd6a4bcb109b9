//~ memsafety: true
//~ memcleanup: false
//~ termination: true
#include <stdlib.h>

static int *cache;

int main(void) {
    cache = malloc(sizeof *cache);
    *cache = 1;
    return 0;
}
