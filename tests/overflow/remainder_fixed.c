//~ all: true
#include <limits.h>

int main(void) {
    long x = LONG_MIN + 1, y = -1;
    long z = x % y;
    return z != 0;
}
