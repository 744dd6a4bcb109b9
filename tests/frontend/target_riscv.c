//~ options: --target riscv32-unknown-elf
//~ memsafety: true
// A loop over `char` that never sees a negative one: the end mark -1 of a table is 255 there.
#include <stddef.h>

static const char table[] = {3, 1, 4, -1};

int main(void) {
    size_t count = 0;
    while (count < sizeof table && table[count] != (char)-1) count++;
    return count == 3 && table[3] == 255 && _Alignof(long long) == 8 && __riscv_xlen == 32 ? 0 : table[sizeof table - count];
}
