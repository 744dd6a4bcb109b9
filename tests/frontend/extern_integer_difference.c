// The distance of two pointers is no address.
//~ unreach-call: true
#include <assert.h>
extern void print_number(long number);

int main(void) {
    int a[4] = {0}, *end = a + 4;
    print_number(end - a);
    assert(a[0] == 0);
    return 0;
}
