// That the function has the type that is called matters also where it does not return.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void end(void) { abort(); }
static int zero(void) { return 0; }

int main(void) {
    int (*get)(void) = zero;
    if (__VERIFIER_nondet_int() == 12345)
        get = (int (*)(void))end;
    return get(); //~ unknown(memsafety)
}
