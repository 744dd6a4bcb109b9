//~ options: --property memsafety
//~ memsafety: false(valid-deref)
// One byte too few for the end.
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    char *both = malloc(strlen(argv[1]) + strlen(argv[2]));
    if (!both)
        return 1;
    strcpy(both, argv[1]);
    strcat(both, argv[2]);
    free(both);
    return 0;
}
