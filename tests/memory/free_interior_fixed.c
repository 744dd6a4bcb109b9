//~ all: true
#include <stdlib.h>

/* An interior pointer, even one past the end, keeps the block reachable. */
int main(void) {
    char *p = malloc(10);
    p += 10;
    p -= 10;
    free(p);
    return 0;
}
