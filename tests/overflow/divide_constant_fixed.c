//~ all: true
#include <limits.h>

int main(void) {
    int x = (INT_MIN + 1) / -1;
    return x != INT_MAX;
}
