#include <assert.h>
#include <limits.h>

/* For everything but no-overflow the value wraps. */
int main(void) {
    int x = INT_MAX;
    x++;               //~ false(no-overflow)
    assert(x > 0);     //~ false(unreach-call)
    return 0;
}
