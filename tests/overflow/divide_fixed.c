//~ all: true
#include <limits.h>

int main(void) {
    int x = INT_MIN, y = -1;
    long long z = (long long)x / y;
    return z != 2147483648LL;
}
