//~ unreach-call: true
#include <assert.h>
static volatile unsigned status;

int main(void) {
    volatile int local = 3;
    unsigned once = status;
    assert(local == 3);
    assert((once & 1) <= 1);
    return 0;
}
