//~ options: --integers unbounded
//~ unreach-call: true
//~ termination: true
#include <assert.h>

static int big = 2147483647;
static int cells[2];

int main(void) {
    int x = big * big;
    assert(x > big && x / big == big && x % big == 0);
    cells[1] = x;
    assert(cells[1] == x && cells[0] == 0);
    int negative = -x;
    assert(negative < 0 && -negative == x && x - x == 0);
    long l = x;
    assert(l == x);
    assert((7 & 3) == 3 && (1 << 4) == 16 && -7 / 2 == -3);
    unsigned char c = 255;
    c++;
    assert(c == 0);
    return 0;
}
