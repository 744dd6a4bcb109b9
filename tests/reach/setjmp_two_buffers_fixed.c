/* A volatile local keeps its value. */
//~ unreach-call: true
#include <assert.h>
#include <setjmp.h>

static jmp_buf buffers[2];
static int at;

int main(void)
{
    volatile int count = 0;
    for (at = 0; at < 2; at++) {
        count = count + 1;
        if (setjmp(buffers[at])) {
            assert(count == 2);
            return 0;
        }
    }
    longjmp(buffers[0], 1);
}
