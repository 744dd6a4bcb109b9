//~ options: --integers unbounded
//~ unreach-call: true
#include <assert.h>

int main(void) {
    int x = 2147483647;
    x = x + 1;
    assert(x > 2147483647 - 1);
    assert(x - 1 == 2147483647);
    return 0;
}
