//~ memsafety: unknown
#include <stdlib.h>

/* Loses a block each round; the run has no end to look back from. */
int main(void) {
    for (;;) {
        char *p = malloc(1);
        *p = 1;
    }
}
