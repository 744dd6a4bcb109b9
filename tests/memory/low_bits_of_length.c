// As low_bits_of_length_fixed.c, but behind the end.
#include <string.h>

int main(int argc, char **argv) {
    if (argc < 2)
        return 0;
    int n = (int)strlen(argv[1]);
    if (n > 0)
        argv[1][n + 1] = 'x';
    return 0;
}

//~ options: --engines graph
//~ memsafety: unknown
