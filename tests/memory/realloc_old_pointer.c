#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 7;
    int *q = realloc(p, 100 * sizeof *q);
    int x = p[0]; //~ false(valid-deref)
    free(q);
    return x;
}
