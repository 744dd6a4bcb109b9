//~ options: --property memsafety --engines graph
//~ memsafety: true
// What strlen said of an argument bounds the copy.
#include <string.h>
int main(int argc, char **argv) {
    char b[64];
    if (argc > 1 && strlen(argv[1]) < sizeof b)
        strcpy(b, argv[1]);
    return 0;
}
