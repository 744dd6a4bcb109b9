//~ options: --check-alignment
// A number at an odd place of a heap block, which is aligned to 16 bytes.
#include <stdlib.h>

int main(void) {
    char *block = malloc(16);
    int *number = (int *)(block + 1);
    *number = 5; //~ false(valid-deref)
    free(block);
    return 0;
}
