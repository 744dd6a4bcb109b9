//~ all: true
#include <stdlib.h>

int main(void) {
    char *p = malloc(0);
    if (p == NULL)
        abort();
    free(p);
    return 0;
}
