//~ all: true
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 4; i++) {
        char *p = malloc(4);
        p[0] = 1;
        free(p);
    }
    return 0;
}
