/* The same addresses, through which stdout becomes another open stream. */
//~ memsafety: true
#include <stdio.h>

FILE **where = &stdout;

static FILE **other(void)
{
    return &stderr;
}

int main(void)
{
    *where = *other();
    fprintf(stdout, "text");
    return 0;
}
