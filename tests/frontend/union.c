//~ all: true
#include <assert.h>
#include <string.h>

union number {
    float f;
    unsigned u;
    unsigned char bytes[4];
    struct { unsigned short low, high; };
};

static union number make(unsigned u) { return (union number){.u = u}; }

int main(void) {
    union number n = {.f = 1.0f};
    assert(n.u == 0x3f800000 && n.bytes[3] == 0x3f && n.high == 0x3f80 && n.low == 0);
    n = make(0x40490fdb);
    assert(n.f > 3.14159f && n.f < 3.1416f);
    union { char c; long long l; } wide = {0};
    wide.c = 'x';
    assert(wide.l == 'x' && sizeof wide == 8);
    return 0;
}
