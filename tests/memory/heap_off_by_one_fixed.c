//~ all: true
#include <stdlib.h>

int main(void) {
    int *a = malloc(10 * sizeof *a);
    for (int i = 0; i < 10; i++)
        a[i] = i;
    free(a);
    return 0;
}
