//~ options: --rules svcomp
#include <assert.h>
static volatile unsigned status;

int main(void) {
    status = 0;
    assert(status == 1); //~ false(unreach-call)
    return 0;
}
