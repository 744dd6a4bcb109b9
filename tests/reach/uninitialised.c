#include <assert.h>

/* An uninitialised value is arbitrary. */
int main(void) {
    _Bool b;
    assert(!b); //~ false(unreach-call)
    return 0;
}
