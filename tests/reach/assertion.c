#include <assert.h>

int main(void) {
    int x = 3;
    x *= 2;
    assert(x == 5); //~ false(unreach-call)
    return 0;
}
