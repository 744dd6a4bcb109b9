#include <limits.h>

/* clang folds this sum at compile time. */
int main(void) {
    int y = INT_MAX + 1; //~ false(no-overflow)
    return y < 0;
}
