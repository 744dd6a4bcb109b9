//~ all: true
#include <stdlib.h>

/* Misaligned, which is no violation, but inside. */
int main(void) {
    char *p = malloc(6);
    int *q = (int *)(p + 2);
    *q = 1;
    free(p);
    return 0;
}
