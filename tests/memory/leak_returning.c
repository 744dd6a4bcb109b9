//~ memsafety: false(valid-memtrack)
//~ memcleanup: false
#include <stdlib.h>

static int work(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    return *p;
}

int main(void) { return work() - 1; }
