#include <stdint.h>

int main(void) {
    volatile int *device = (volatile int *)(uintptr_t)0x12345678;
    *device = 1; //~ false(valid-deref)
    return 0;
}
