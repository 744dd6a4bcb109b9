//~ unreach-call: true
#include <assert.h>

/* The run ends at the invalid access. */
int main(void) {
    int *p = 0;
    int x = *p; //~ false(valid-deref)
    assert(x == 2);
    return 0;
}
