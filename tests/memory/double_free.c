#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    free(p); //~ false(valid-free)
    return 0;
}
