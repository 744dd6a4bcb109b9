#include <stdlib.h>

int main(void) {
    char *a = calloc(4, 1);
    int i = 4;
    int zeros = 0;
    while (a[--i] == 0) //~ false(valid-deref)
        zeros++;
    free(a);
    return zeros;
}
