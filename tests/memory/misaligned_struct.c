//~ options: --check-alignment
// A struct is copied as a whole from where it may not lie.
#include <stdlib.h>

struct pair {
    long first, second;
};

int main(void) {
    char *bytes = calloc(40, 1);
    struct pair pair;
    pair = *(struct pair *)(bytes + 4); //~ false(valid-deref)
    free(bytes);
    return pair.first != 0;
}
