//~ all: true
#include <stdlib.h>

int main(void) {
    char *a = calloc(4, 1);
    int i = 4;
    int zeros = 0;
    while (i > 0 && a[--i] == 0)
        zeros++;
    free(a);
    return zeros - 4;
}
