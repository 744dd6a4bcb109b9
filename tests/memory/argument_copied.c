//~ options: --property memsafety
// An argument of 64 bytes leaves no room for its end.
#include <string.h>
int main(int argc, char **argv) {
    char b[64];
    if (argc > 1 && strlen(argv[1]) <= sizeof b)
        strcpy(b, argv[1]); //~ false(valid-deref)
    return 0;
}
