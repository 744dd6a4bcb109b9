#include <limits.h>

int main(void) {
    int x = INT_MAX;
    int y = x + 1; //~ false(no-overflow)
    return y < 0;
}
