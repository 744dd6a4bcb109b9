//~ all: true
#include <stdlib.h>

static int *cache;

__attribute__((destructor)) static void clean(void) { free(cache); }

int main(void) {
    cache = malloc(sizeof *cache);
    *cache = 1;
    return 0;
}
