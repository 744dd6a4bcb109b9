#include <setjmp.h>

static jmp_buf place;
static int *kept;

int main(void) {
    if (setjmp(place) == 0) {
        int inner = 1;
        kept = &inner;
        longjmp(place, 1);
    }
    return *kept; //~ false(valid-deref)
}
