//~ options: --property memsafety --engines graph
//~ memsafety: true
// A copy is one.
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc < 2)
        return 0;
    char *name = malloc(strlen(argv[1]) + 1);
    strcpy(name, argv[1]);
    free(name);
    return 0;
}
