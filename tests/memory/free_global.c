#include <stdlib.h>

static char buffer[16];

int main(void) {
    char *p = buffer;
    free(p); //~ false(valid-free)
    return 0;
}
