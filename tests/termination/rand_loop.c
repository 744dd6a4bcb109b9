//~ termination: unknown
// No endless run rests on what rand draws or a clock shows.
#include <stdlib.h>
#include <time.h>

int main(void) {
    clock_t start = clock();
    while (clock() - start < 100)
        ;
    while (rand() % 6 != 5)
        ;
    return 0;
}
