//~ all: true
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 7;
    int *q = realloc(p, 100 * sizeof *q);
    int x = q[0];
    free(q);
    return x - 7;
}
