//~ options: --check-alignment
//~ memsafety: true
// A number at a multiple of its size of a heap block, which is aligned to 16 bytes.
#include <stdlib.h>

int main(void) {
    char *block = malloc(16);
    int *number = (int *)(block + 4);
    *number = 5;
    free(block);
    return 0;
}
