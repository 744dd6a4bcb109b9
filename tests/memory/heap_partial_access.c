#include <stdlib.h>

/* The last two bytes of the access are outside the block. */
int main(void) {
    char *p = malloc(6);
    int *q = (int *)(p + 4);
    *q = 1; //~ false(valid-deref)
    free(p);
    return 0;
}
