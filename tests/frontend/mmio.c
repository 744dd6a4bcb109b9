//~ options: --mmio 0x40000000-0x400000ff --mmio 0xe000e010-0xe000e01f
//~ memsafety: true
#include <stdint.h>
struct port { volatile uint32_t mode, input, output; };
#define PORT ((struct port *)0x40000010)
#define TICKS (*(volatile uint32_t *)0xe000e018)
static volatile uint32_t *const control = (volatile uint32_t *)0x40000000;

static uint32_t get(uintptr_t base, unsigned index) {
    return *(volatile uint32_t *)(base + 4 * index);
}

int main(void) {
    PORT->mode = 1;
    *control = 5;
    struct port *p = PORT;
    p->output = p->input;
    uint32_t sum = TICKS;
    for (unsigned i = 0; i < 4; i++) sum ^= get(0x40000020, i);
    return sum == 0;
}
