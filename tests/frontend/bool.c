//~ all: true
#include <assert.h>
#include <stdbool.h>

struct flags {
    bool a, b;
    bool c : 1;
};

static bool both(bool x, bool y) { return x & y; }

int main(void) {
    bool t = 42, f = 0.0;
    int n = 256;
    char low = n;
    assert(t == 1 && !f && (bool)n == true && low == 0);
    struct flags s = {.a = 3, .c = 8};
    assert(s.a == 1 && s.b == 0 && s.c == 1);
    s.b = (bool)&s;
    s.c = false;
    assert(s.b && !s.c && both(s.a, s.b) && !both(s.a, s.c));
    t++;
    t--;
    assert(!t);
    assert((bool)0.5 && sizeof(bool) == 1);
    return 0;
}
