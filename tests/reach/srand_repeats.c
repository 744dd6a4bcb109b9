// Different seeds may give different numbers.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(2);
    int a = rand();
    srand(3);
    int b = rand();
    assert(a == b); //~ false(unreach-call)
    return 0;
}
