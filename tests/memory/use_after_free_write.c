#include <stdlib.h>

static void release(char **p) { free(*p); }

int main(void) {
    char *p = malloc(4);
    release(&p);
    p[0] = 1; //~ false(valid-deref)
    return 0;
}
