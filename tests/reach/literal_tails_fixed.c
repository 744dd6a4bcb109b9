//~ unreach-call: true
// Places whose bytes do not agree are not one.
#include <assert.h>

int main(void) {
    const char *a = "xbc", *b = "bc", *c = "bd";
    assert(a != b);
    assert(a + 1 != c);
    assert(a + 2 != b);
    return 0;
}
