//~ all: true
#include <stdlib.h>

int main(void) {
    char *p = malloc(8);
    free(p);
    p = malloc(16);
    free(p);
    return 0;
}
