/* fputs that is called through a pointer asks for a stream as well. */
#include <stdio.h>

int (*put)(const char *, FILE *) = fputs;

int main(void)
{
    put("text", NULL); //~ false(valid-deref)
    return 0;
}
