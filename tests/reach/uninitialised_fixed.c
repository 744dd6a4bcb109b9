//~ all: true
#include <assert.h>

/* Moving an uninitialised value about decides nothing. */
int main(void) {
    int x, y;
    struct {
        int a, b;
    } s, t;
    y = x;
    s.a = 1;
    t = s;
    assert(t.a == 1);
    return 0;
}
