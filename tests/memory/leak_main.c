//~ memsafety: false(valid-memtrack)
//~ memcleanup: false
#include <stdlib.h>

/* Returning from main drops its locals. */
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    return 0;
}
