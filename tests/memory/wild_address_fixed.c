//~ options: --rules svcomp
//~ all: true
#include <stdint.h>

static volatile int registers[4];

int main(void) {
    volatile int *device = (volatile int *)(uintptr_t)&registers[2];
    *device = 1;
    return registers[2] - 1;
}
