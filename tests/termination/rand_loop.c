//~ termination: unknown
// No endless run rests on what rand draws.
#include <stdlib.h>

int main(void) {
    while (rand() % 6 != 5)
        ;
    return 0;
}
