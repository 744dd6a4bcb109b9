// Nothing goes back to this setjmp: it gives 0, and its buffer is written.
#include <setjmp.h>
#include <stdlib.h>
static int one[1];

int main(void) {
    jmp_buf here;
    int way = setjmp(here);
    return one[way + 1]; //~ false(valid-deref)
}
