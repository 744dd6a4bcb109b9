#include <limits.h>

int main(void) {
    int x = INT_MIN, y = -1;
    int z = x / y; //~ false(no-overflow)
    return z > 0;
}
