//~ all: true
#include <stdlib.h>

static char *buffer;

int main(void) {
    buffer = malloc(16);
    free(buffer);
    return 0;
}
