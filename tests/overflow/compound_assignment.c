#include <limits.h>

int main(void) {
    int total = 0;
    for (int i = 0; i < 40; i++)
        total += 100000000; //~ false(no-overflow)
    return total == 0;
}
