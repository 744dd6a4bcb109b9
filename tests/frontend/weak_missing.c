// A weak symbol that nothing defines has the address null, unless another file of the program defines it.
#include <assert.h>

extern void hook(void) __attribute__((weak));

int main(void) {
    assert(hook != 0); //~ unknown(unreach-call)
    return 0;
}
