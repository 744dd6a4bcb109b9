// The other way round: called_struct.c.
#include <assert.h>
struct large {
    int a[9];
};
static int first(struct large *large) { return large->a[0]; }

int main(void) {
    struct large large = {{1}};
    int (*take)(struct large) = (int (*)(struct large))first;
    assert(take(large) == 1); //~ unknown(memsafety)
    return 0;
}
