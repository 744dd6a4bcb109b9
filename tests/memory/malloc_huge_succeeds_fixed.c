//~ memsafety: true
#include <stdlib.h>

int main(void) {
    char *p = malloc((size_t)-8);
    return p == 0;
}
