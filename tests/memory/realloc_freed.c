#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    free(p);
    p = realloc(p, 8); //~ false(valid-free)
    free(p);
    return 0;
}
