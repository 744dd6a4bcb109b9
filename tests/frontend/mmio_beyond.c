//~ options: --mmio 0x40000000-0x400000ff
#include <stdint.h>
static uint32_t get(uintptr_t base, unsigned index) {
    return *(volatile uint32_t *)(base + 4 * index); //~ false(valid-deref)
}

int main(void) {
    uint32_t sum = 0;
    for (unsigned i = 0; i <= 64; i++) sum ^= get(0x40000000, i);
    return sum == 0;
}
