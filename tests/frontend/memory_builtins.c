//~ all: true
#include <assert.h>
#include <string.h>

struct big { int a[50]; };

int main(void) {
    struct big x = {{1, 2, 3}}, y = x, z;
    y.a[49] = 7;
    z = y;
    assert(z.a[2] == 3 && z.a[49] == 7 && x.a[49] == 0);
    int n = sizeof x;
    __builtin_memset(&x, 0x11, n);
    assert(x.a[30] == 0x11111111);
    __builtin_memcpy(&x, &y, n);
    __builtin_memmove(x.a + 1, x.a, 3 * sizeof(int));
    assert(x.a[0] == 1 && x.a[1] == 1 && x.a[3] == 3);
    assert(memcmp(&y, &z, sizeof y) == 0 && memchr("abc", 'c', 3) != 0 && !memchr("abc", 'd', 3));
    memcpy(x.a, y.a, 0);
    x = x;
    assert(x.a[1] == 1);
    return 0;
}
