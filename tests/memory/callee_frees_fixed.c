// The block is kept until it is not used any more.
//~ options: --engines structural,values --property valid-deref
//~ valid-deref: true
#include <stdlib.h>
static void put(int *p) { p[1] = 3; }
int main(void) {
    int *p = malloc(2 * sizeof *p);
    put(p);
    return 0;
}
