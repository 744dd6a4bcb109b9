//~ all: true
#include <limits.h>

/* A char is incremented as an int and converted back, which is no overflow. */
int main(void) {
    signed char count = SCHAR_MAX;
    count++;
    return count != SCHAR_MIN;
}
