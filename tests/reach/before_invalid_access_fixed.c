//~ unreach-call: unknown
#include <assert.h>

/* Nothing is said of what comes after an invalid access. */
int main(void) {
    int *p = 0;
    int x = *p; //~ false(valid-deref)
    assert(x == 2);
    return 0;
}
