//~ options: --malloc-may-fail
#include <stdlib.h>

int main(void) {
    char *p = malloc(1);
    *p = 1; //~ false(valid-deref)
    free(p);
    return 0;
}
