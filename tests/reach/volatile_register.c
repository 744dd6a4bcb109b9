// Others may write a volatile object between two reads.
#include <assert.h>
static volatile unsigned status;

int main(void) {
    status = 0;
    assert((status & 1) == 0); //~ false(unreach-call)
    return 0;
}
