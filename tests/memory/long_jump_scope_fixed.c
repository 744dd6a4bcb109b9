//~ memsafety: true
#include <setjmp.h>

static jmp_buf place;
static int *kept;

int main(void) {
    static int inner;
    if (setjmp(place) == 0) {
        inner = 1;
        kept = &inner;
        longjmp(place, 1);
    }
    return *kept;
}
