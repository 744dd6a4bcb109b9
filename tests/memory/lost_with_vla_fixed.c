//~ options: --engines graph
//~ valid-memtrack: true
#include <stdlib.h>

static void *kept;

int main(int argc, char **argv) {
    (void)argv;
    int n = argc > 3 ? 3 : 1;
    {
        void *a[n];
        a[0] = malloc(4);
        kept = a[0];
    }
    for (;;) {
    }
}
