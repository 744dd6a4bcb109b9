//~ no-overflow: true
// What strtol gives is negated only where that is a number.
#include <limits.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    long n = strtol(argv[1], NULL, 10);
    if (n < 0 && n > LONG_MIN)
        n = -n;
    return n > 10;
}
