//~ memsafety: true
//~ unreach-call: true
#include <assert.h>
int main(int argc, char **argv) {
    int *p = 0;
    int r = 0;
    (void)argv;
    {
        if (argc > 2) goto inside;
        int x = 1;
    inside:
        p = &x;
        *p = 5;
        r = x;
    }
    assert(r == 5);
    return 0;
}
