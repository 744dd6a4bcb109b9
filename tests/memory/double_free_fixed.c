//~ all: true
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    p = NULL;
    free(p);
    return 0;
}
