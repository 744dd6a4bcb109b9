// As constructor_parameters.c, but it takes none. That it has a result does not matter.
#include <assert.h>

//~ unreach-call: true

static int started;

__attribute__((constructor)) static int start(void) {
    started = 1;
    return started;
}

int main(void) {
    assert(started == 1);
    return 0;
}
