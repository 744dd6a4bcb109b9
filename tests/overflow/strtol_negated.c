// As strtol_negated_fixed.c, but the least number is negated too.
//~ options: --time-limit 120
#include <limits.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    long n = strtol(argv[1], NULL, 10);
    if (n < 0)
        n = -n; //~ false(no-overflow)
    return n > 10;
}
