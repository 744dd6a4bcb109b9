/* A truth value that a function returns by more than one way; bytes of it are compared with what went on beside it. */
#include <assert.h>
#include <stdbool.h>

extern bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int way;

static bool gives(void) {
    if (__VERIFIER_nondet_bool()) {
        way = 1;
        return false;
    }
    way = 2;
    return true;
}

static int get(void) {
    if (!gives())
        return -1;
    return __VERIFIER_nondet_uchar();
}

int main(void) {
    while (1) {
        int c = get();
        assert(c == -1 || way == 1); //~ false(unreach-call)
    }
}
