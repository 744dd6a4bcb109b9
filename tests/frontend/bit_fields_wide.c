//~ all: true
#include <assert.h>

#pragma pack(1)
struct wide {
    unsigned a : 30, b : 30, c : 30, d : 30, e : 30;
    signed f : 29;
};

static struct wide w = {1, 2, 3, 4, 0x3fffffff, -5};

/* The compiler reads such bit-fields as one integer of more than 128 bits. */
int main(void) {
    assert(sizeof w == 23 && w.a == 1 && w.c == 3 && w.e == 0x3fffffff && w.f == -5);
    w.b = 0x2aaaaaaa;
    w.e++;
    w.f--;
    assert(w.a == 1 && w.b == 0x2aaaaaaa && w.c == 3 && w.d == 4 && w.e == 0 && w.f == -6);
    struct wide *p = &w;
    p->d ^= w.b;
    assert(w.d == 0x2aaaaaae && w.c == 3);
    return 0;
}
