#include <limits.h>

int main(void) {
    int count = INT_MAX - 1;
    count++;
    count++; //~ false(no-overflow)
    return count > 0;
}
