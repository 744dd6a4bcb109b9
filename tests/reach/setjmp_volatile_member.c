/* A struct with a volatile member is no volatile struct: after longjmp its other members are not known. */
//~ unreach-call: unknown
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

struct counts { volatile int seen; int done; };

static void work(struct counts *counts)
{
    counts->done = 5;
}

int main(void)
{
    struct counts counts = {0, 0};
    if (setjmp(back) == 0) {
        work((struct counts *)&counts);
        longjmp(back, 1);
    }
    assert(counts.done == 5);
    return 0;
}
