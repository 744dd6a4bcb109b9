// A violation must not rest on what a function without a body wrote to a global, and a proof not on what it left there.
//~ unreach-call: unknown
#include <assert.h>
extern void work(void);
int seen;

int main(void) {
    work();
    assert(seen == 0);
    return 0;
}
