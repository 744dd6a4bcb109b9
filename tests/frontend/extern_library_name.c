// A variable may be called as a function of the library is: other files see it all the same.
//~ unreach-call: unknown
#include <assert.h>
extern void work(void);
int index;

int main(void) {
    index = 1;
    work();
    assert(index == 1);
    return 0;
}
