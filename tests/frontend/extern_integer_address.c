// An address that is passed as an integer leads somewhere too.
#include <stdint.h>
extern void write_to(uintptr_t place);

int main(void) {
    int x = 0;
    write_to((uintptr_t)&x); //~ unknown(valid-deref)
    return x;
}
