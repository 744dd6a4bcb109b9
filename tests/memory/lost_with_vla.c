//~ options: --engines graph
//~ valid-memtrack: false
// The array that held the only pointer to the block has ended with its scope; the run goes on for ever.
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int n = argc > 3 ? 3 : 1;
    {
        void *a[n];
        a[0] = malloc(4);
    }
    for (;;) {
    }
}
