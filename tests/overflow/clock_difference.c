// Times are not negative and do not go back, but they are not known.
#include <time.h>

int main(void) {
    clock_t start = clock();
    clock_t end = clock();
    int ticks = (int)(end % 1000000);
    int squared = ticks * ticks; //~ false(no-overflow)
    return start < squared;
}
