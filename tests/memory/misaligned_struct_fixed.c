//~ options: --check-alignment
//~ memsafety: true
// A struct is copied as a whole from where it may lie.
#include <stdlib.h>

struct pair {
    long first, second;
};

int main(void) {
    char *bytes = calloc(40, 1);
    struct pair pair;
    pair = *(struct pair *)(bytes + 8);
    free(bytes);
    return pair.first != 0;
}
