#include <limits.h>

int main(void) {
    int x = INT_MIN / -1; //~ false(no-overflow)
    return x > 0;
}
