//~ all: true
#include <assert.h>
static const int *kept;
static void keep(const int *a) {
    kept = a;
}

int main(void) {
    int r = 0;
    for (int i = 0; i < 3; i++) {
        keep((const int[]){i, 2, 3});
        r += kept[0] + kept[1];
    }
    assert(r == 9);
    return 0;
}
