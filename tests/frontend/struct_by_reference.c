//~ all: true
#include <assert.h>

struct point { int x, y; };
struct box { struct point low, high; const char *name; };

static void grow(struct box *b, int by) {
    struct point *p = &b->high;
    p->x += by;
    (*p).y += by;
    b->low = (struct point){.y = -by};
}

int main(void) {
    struct box boxes[2] = {{{0, 0}, {1, 1}, "a"}, {.high.x = 5, .name = "b"}};
    grow(&boxes[1], 3);
    assert(boxes[1].high.x == 8 && boxes[1].high.y == 3 && boxes[1].low.x == 0 && boxes[1].low.y == -3);
    struct box copy = boxes[1];
    boxes[1].name = "c";
    assert(copy.name[0] == 'b' && boxes[0].high.x == 1);
    return 0;
}
