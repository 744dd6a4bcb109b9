//~ options: --integers machine
#include <assert.h>

int main(void) {
    unsigned x = 4294967295u;
    x = x + 1;
    assert(x != 0); //~ false(unreach-call)
    return 0;
}
