//~ options: --huge-allocations-succeed
// The competitions' reading: whatever the size, a block is given, and here it is lost.
//~ memsafety: false(valid-memtrack)
#include <stdlib.h>

int main(void) {
    char *p = malloc((size_t)-8);
    return p == 0;
}
