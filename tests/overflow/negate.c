#include <limits.h>

static int absolute(int x) {
    return x < 0 ? -x : x; //~ false(no-overflow)
}

int main(void) { return absolute(INT_MIN) < 0; }
