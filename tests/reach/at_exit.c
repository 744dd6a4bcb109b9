#include <stdlib.h>

extern void reach_error(void);
static int closed;

static void check(void)
{
    if (!closed)
        reach_error(); //~ false(unreach-call)
}
static void close_all(void) { closed = 1; }

int main(void)
{
    atexit(close_all);
    atexit(check);
    return 0;
}
