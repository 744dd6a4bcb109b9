// C promises the sign of what strcmp returns, no more.
#include <assert.h>
#include <string.h>

int main(void) {
    int order = strcmp("d", "a");
    assert(order == 3); //~ false(unreach-call)
    return 0;
}
