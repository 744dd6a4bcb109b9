//~ options: --engines values
//~ unreach-call: unknown(known to end)
//~ no-overflow: unknown(known to end)
#include <assert.h>

/* Nothing is said of what comes after an invalid access, by no engine. */
int main(void) {
    int *p = 0;
    int x = *p;
    assert(x == 2);
    return 0;
}
