//~ options: --engines values
//~ unreach-call: true
//~ no-overflow: true
#include <assert.h>

int two = 2;

int main(void) {
    int *p = &two;
    int x = *p;
    assert(x == 2);
    return 0;
}
