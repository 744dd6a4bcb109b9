/* The local was written since the first buffer was filled, though not since the second was, by the same call. */
//~ unreach-call: unknown
#include <assert.h>
#include <setjmp.h>

static jmp_buf buffers[2];
static int at;

int main(void)
{
    int count = 0;
    for (at = 0; at < 2; at++) {
        count = count + 1;
        if (setjmp(buffers[at])) {
            assert(count == 2);
            return 0;
        }
    }
    longjmp(buffers[0], 1);
}
