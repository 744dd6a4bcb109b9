//~ all: true
#include <stdlib.h>

int main(void) {
    int x = 1;
    int *p = &x;
    int *q = malloc(sizeof *q);
    *q = *p;
    p = q;
    free(p);
    return 0;
}
