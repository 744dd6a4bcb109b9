// A variable of this file whose address is not given away stays as it was.
//~ unreach-call: true
#include <assert.h>
extern void work(void);
static int seen;

int main(void) {
    work();
    assert(seen == 0);
    return 0;
}
