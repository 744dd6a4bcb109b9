#include <assert.h>

int main(void) {
    int *p = 0;
    int x = 1;
    assert(x == 2); //~ false(unreach-call)
    return *p;
}
