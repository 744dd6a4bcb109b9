/* A volatile local, of which another function has the address, keeps its value. */
//~ unreach-call: true
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

static void work(volatile int *done)
{
    *done = 5;
}

int main(void)
{
    volatile int done = 0;
    if (setjmp(back) == 0) {
        work(&done);
        longjmp(back, 1);
    }
    assert(done == 5);
    return 0;
}
