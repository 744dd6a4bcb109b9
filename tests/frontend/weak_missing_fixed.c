// As weak_missing.c, but there is a definition.
#include <assert.h>

//~ unreach-call: true

extern void hook(void) __attribute__((weak));

void hook(void) {}

int main(void) {
    assert(hook != 0);
    return 0;
}
