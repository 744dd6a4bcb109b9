#include <limits.h>

int main(void) {
    int a = INT_MAX, b = 2;
    if (a + b < a) //~ false(no-overflow)
        return 1;
    return 0;
}
