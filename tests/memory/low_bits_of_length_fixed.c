// The length as an `int` may be any, but where it is not negative it is no more than the length.
#include <string.h>

int main(int argc, char **argv) {
    if (argc < 2)
        return 0;
    int n = (int)strlen(argv[1]);
    if (n > 0)
        argv[1][n - 1] = 'x';
    return 0;
}

//~ options: --engines graph
//~ memsafety: true
