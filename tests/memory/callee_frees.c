// A callee gives back what it is given; who calls it goes on with it.
#include <stdlib.h>
static void drop(int *p) { free(p); }
int main(void) {
    int *p = malloc(2 * sizeof *p);
    drop(p);
    p[1] = 3; //~ false(valid-deref)
    return 0;
}
