//~ all: true
#include <assert.h>

int real(void) { return 7; }
int other(void) __attribute__((alias("real")));
__attribute__((weak)) int maybe(void) { return 3; }
static int value = 4;
extern int named __attribute__((alias("value")));

int main(void) {
    assert(other() == 7 && maybe() == 3 && named == 4);
    named = 5;
    assert(value == 5);
    return 0;
}
