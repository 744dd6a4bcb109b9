//~ all: true
#include <assert.h>
static int set(int **where, int *what) {
    *where = what;
    return *what;
}

int main(void) {
    int *p = 0;
    int r = 0;
    {
        if (set(&p, &(int){3})) {
            r = *p;
        } else {
            r = 1;
        }
        set(&p, &(int){4});
        r += *p;
    }
    assert(r == 7);
    return 0;
}
