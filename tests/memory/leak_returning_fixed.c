//~ all: true
#include <stdlib.h>

static int *work(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    return p;
}

int main(void) {
    int *p = work();
    free(p);
    return 0;
}
