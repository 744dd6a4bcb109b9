//~ options: --mmio 0x40000000-0x400000ff
// Each volatile read gives any value.
#include <assert.h>
#include <stdint.h>
#define DATA (*(volatile uint32_t *)0x40000000)

int main(void) {
    DATA = 1;
    assert(DATA == 1); //~ false(unreach-call)
    return 0;
}
