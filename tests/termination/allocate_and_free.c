//~ termination: false
#include <stdlib.h>

/* Each round has a new block; the state is the same all the same. */
int main(void) {
    for (;;) {
        char *p = malloc(4);
        p[0] = 1;
        free(p);
    }
}
