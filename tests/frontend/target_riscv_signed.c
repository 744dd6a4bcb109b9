//~ options: --target riscv32-unknown-elf
// The twin: who compares with -1 never finds the mark.
#include <stddef.h>

static const char table[] = {3, 1, 4, -1};

int main(void) {
    size_t count = 0;
    while (table[count] != -1) count++; //~ false(valid-deref)
    return (int)count;
}
