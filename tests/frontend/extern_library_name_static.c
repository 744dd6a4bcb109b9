// As extern_library_name.c, but only this file sees the variable.
//~ unreach-call: true
#include <assert.h>
extern void work(void);
static int index;

int main(void) {
    index = 1;
    work();
    assert(index == 1);
    return 0;
}
