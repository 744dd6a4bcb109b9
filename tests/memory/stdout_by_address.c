/* stdout is assigned to through its address, which no instruction but a return names, and a table. */
#include <stdio.h>

FILE **where = &stdout;

static FILE **other(void)
{
    return &stderr;
}

int main(void)
{
    *other() = NULL;
    *where = NULL;
    fprintf(stdout, "text"); //~ false(valid-deref)
    return 0;
}
