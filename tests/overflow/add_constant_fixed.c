//~ all: true
#include <limits.h>

int main(void) {
    long long y = INT_MAX + 1LL;
    return y < 0;
}
