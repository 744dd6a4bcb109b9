// The competitions' reading: a function without a body changes nothing; what it returns is anything.
//~ options: --rules svcomp
#include <assert.h>
extern int change(int *value);

int main(void) {
    int v = 0;
    int r = change(&v);
    assert(v == 0);
    assert(r == 0); //~ false(unreach-call)
    return 0;
}
