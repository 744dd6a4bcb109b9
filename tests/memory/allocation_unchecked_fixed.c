//~ all: true
#include <stdlib.h>

/* Unless told otherwise, allocation succeeds. */
int main(void) {
    char *p = malloc(1);
    *p = 1;
    free(p);
    return 0;
}
