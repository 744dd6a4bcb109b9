#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    p += 1;
    free(p); //~ false(valid-free)
    return 0;
}
