//~ options: --property memsafety
// The strings of argv are no heap blocks.
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char *name = argc > 1 ? argv[1] : "nobody";
    if (argc > 1)
        free(name); //~ false(valid-free)
    return 0;
}
