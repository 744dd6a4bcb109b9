//~ memsafety: true
//~ unreach-call: true
#include <assert.h>
// Going back inside the block is the same life.
int main(void) {
    int r = 0;
    {
        int round = 0;
        int *p = 0;
    again:;
        int x;
        if (p) r += *p;
        x = round;
        p = &x;
        r += *p;
        if (round++ < 2) goto again;
    }
    return 0;
}
