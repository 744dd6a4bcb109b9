//~ options: --rules svcomp
//~ unreach-call: true
#include <assert.h>
static volatile unsigned status;

int main(void) {
    status = 0;
    assert(status == 0);
    return 0;
}
