/* A local that changes after setjmp and is not volatile has no value afterwards. */
#include <setjmp.h>

extern void __VERIFIER_assert(int);
static jmp_buf place;

int main(void) {
    int count = 0;
    if (setjmp(place) == 0) {
        count = 1;
        longjmp(place, 1);
    }
    __VERIFIER_assert(count == 1); //~ false(unreach-call)
    return 0;
}
