//~ options: --malloc-may-fail
//~ memsafety: true
#include <stdlib.h>

int main(void) {
    char *p = malloc(1);
    if (p == NULL)
        return 1;
    *p = 1;
    free(p);
    return 0;
}
