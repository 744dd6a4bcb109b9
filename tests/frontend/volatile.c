//~ options: --rules svcomp
//~ all: true
#include <assert.h>

static volatile int port;
volatile struct { int a; char b[3]; } device;

int main(void) {
    volatile int x = 1;
    x++;
    port = x;
    port |= 4;
    device.b[1] = 'v';
    int *p = (int *)&x;
    *p += 1;
    assert(port == 6 && x == 3 && device.b[1] == 'v' && device.a == 0);
    return 0;
}
