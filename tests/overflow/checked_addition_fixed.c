//~ all: true
#include <limits.h>

int main(void) {
    int a = INT_MAX, b = 2, sum;
    if (__builtin_add_overflow(a, b, &sum))
        return 0;
    return 1;
}
