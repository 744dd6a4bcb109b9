//~ all: true
#include <assert.h>
#include <stdlib.h>

static int done;

__attribute__((destructor)) static void finish(void) { assert(done); }

int main(void) {
    done = 1;
    exit(0);
}
