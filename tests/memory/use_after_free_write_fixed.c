//~ all: true
#include <stdlib.h>

static void release(char **p) {
    free(*p);
    *p = NULL;
}

int main(void) {
    char *p = malloc(4);
    release(&p);
    if (p)
        p[0] = 1;
    return 0;
}
