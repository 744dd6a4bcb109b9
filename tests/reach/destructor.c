#include <assert.h>
#include <stdlib.h>

static int done;

__attribute__((destructor)) static void finish(void) {
    assert(done); //~ false(unreach-call)
}

int main(void) { exit(0); }
