//~ unreach-call: unknown
#include <stdint.h>

/* Depends on where the two objects lie. */
int main(void) {
    int a, b;
    return (uintptr_t)&a < (uintptr_t)&b;
}
