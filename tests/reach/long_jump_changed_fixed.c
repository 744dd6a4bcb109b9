//~ unreach-call: true
/* A local that changes after setjmp and is volatile keeps its value. */
#include <setjmp.h>

extern void __VERIFIER_assert(int);
static jmp_buf place;

int main(void) {
    volatile int count = 0;
    if (setjmp(place) == 0) {
        count = 1;
        longjmp(place, 1);
    }
    __VERIFIER_assert(count == 1);
    return 0;
}
