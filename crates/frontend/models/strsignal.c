/* POSIX: the name of a signal: any text of at most 63 characters; the same object at each call. */
#include "belay.h"

char *strsignal(int number)
{
    static char text[64];
    (void)number;
    __belay_approximate("strsignal");
    __belay_fill(text, sizeof text - 1);
    text[sizeof text - 1] = 0;
    return text;
}
