//~ all: true
#include <assert.h>

static int x = 1;

static int shadow(int x) {
    {
        int x = 10;
        {
            extern int global_x;
            x += global_x;
        }
        assert(x == 30);
    }
    return x;
}

int global_x = 20;

int main(void) {
    assert(shadow(5) == 5 && x == 1);
    int total = 0;
    for (int x = 0; x < 3; x++) {
        int y = x;
        int *p = &y;
        *p += 1;
        total += y;
    }
    assert(total == 6);
    if (total) {
        int later = total;
        total = later + 1;
    }
    return total - 7;
}
