// C libraries differ in what they give to a constructor that takes parameters (glibc: those of main).
#include <assert.h>

//~ unreach-call: unknown(takes parameters)

static int started;

__attribute__((constructor)) static void start(int count, char **words) {
    started = count > 0 && words[0] != 0;
}

int main(void) {
    assert(started == 0);
    return 0;
}
