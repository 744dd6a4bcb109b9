//~ unreach-call: true
//~ termination: true
#include <assert.h>
#include <limits.h>

int main(void) {
    int x = INT_MAX;
    x++; //~ false(no-overflow)
    assert(x == INT_MIN);
    return 0;
}
