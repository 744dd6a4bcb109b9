// An empty template does nothing: what is tied to its result stays what it was.
//~ all: true
#include <assert.h>

int main(void)
{
    unsigned x = 3, *p = &x;
    __asm__ volatile("" : "+r"(x));
    __asm__ volatile("" : "+r"(p) : : "memory");
    assert(x == 3 && *p == 3);
    return 0;
}
