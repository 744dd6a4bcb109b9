//~ options: --mmio 0x40000000-0x400000ff
// The number of an address is open, here too.
#include <assert.h>
#include <stdint.h>
int main(void) {
    volatile uint32_t *p = (volatile uint32_t *)0x40000004;
    uintptr_t number = (uintptr_t)p; //~ unknown(unreach-call)
    assert(number == 0x40000004);
    return 0;
}
