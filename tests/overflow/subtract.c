#include <limits.h>

static int difference(int a, int b) {
    return a - b; //~ false(no-overflow)
}

int main(void) { return difference(INT_MIN, 1) > 0; }
