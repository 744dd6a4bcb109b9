//~ unreach-call: true
//~ memsafety: true
#include <stdlib.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int closed;

static void check(void)
{
    if (!closed)
        reach_error();
}
static void close_all(void) { closed = 1; }

int main(void)
{
    atexit(check);
    atexit(close_all);
    if (__VERIFIER_nondet_int() > 5)
        exit(3);
    return 0;
}
