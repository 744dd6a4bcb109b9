//~ all: true
#include <assert.h>

#pragma pack(push, 1)
struct header {
    unsigned char kind;
    unsigned length : 17;
    signed flags : 7;
    unsigned short tail;
};
#pragma pack(pop)

static struct header table[2] = {{1, 70000, -3, 0xabcd}, {2, 131071, 63, 1}};

int main(void) {
    assert(sizeof(struct header) == 6);
    assert(table[0].length == 70000 && table[0].flags == -3 && table[0].tail == 0xabcd);
    assert(table[1].length == 131071 && table[1].flags == 63 && table[1].kind == 2);
    table[1].length = 5;
    assert(table[1].flags == 63 && ((unsigned char *)&table[1])[1] == 5);
    return 0;
}
