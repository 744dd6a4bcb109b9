/* fputs that is called through a pointer, with a stream. */
//~ memsafety: true
#include <stdio.h>

int (*put)(const char *, FILE *) = fputs;

int main(void)
{
    put("text", stdout);
    return 0;
}
