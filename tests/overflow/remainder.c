#include <limits.h>

int main(void) {
    long x = LONG_MIN, y = -1;
    long z = x % y; //~ false(no-overflow)
    return z != 0;
}
