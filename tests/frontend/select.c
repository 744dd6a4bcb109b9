//~ all: true
#include <assert.h>

struct pair { int a, b; };

static int calls;
static int called(int result) { calls++; return result; }

int main(void) {
    int x = 5, y = 7;
    int *p = x < y ? &x : &y;
    *p = 9;
    assert(x == 9 && (x > y ? 1 : 2.5) == 1);
    struct pair s = {1, 2}, t = {3, 4}, u = x > y ? s : t;
    assert(u.b == 2);
    assert((0 && called(1)) == 0 && (1 || called(1)) == 1 && calls == 0);
    assert((called(3) ?: 4) == 3 && (called(0) ?: 4) == 4 && calls == 2);
    assert((x = 3, y = x + 1, y * 2) == 8);
    const char *z = y == 4 ? "four" : "other";
    assert(z[0] == 'f' && !!y == 1);
    return 0;
}
