//~ memsafety: true
//~ memcleanup: false
#include <stdlib.h>

/* Leaving by exit does not. */
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    exit(0);
}
