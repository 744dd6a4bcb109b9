//~ all: true
#include <assert.h>

struct point { int x, y; };

static int *file_scope = (int[]){1, 2, 3};

static int sum(const struct point *p) { return p->x + p->y; }

int main(void) {
    assert(file_scope[2] == 3 && (int){9} == 9);
    int seven = sum(&(struct point){3, 4});
    int *a = (int[3]){7};
    a[1] = 5;
    struct point *p = &(struct point){.y = 1};
    p->x = 2;
    struct point q = (struct point){seven, a[0] + a[1] + a[2]};
    assert(q.x == 7 && q.y == 12 && sum(p) == 3);
    return 0;
}
