/* glibc: the address of errno, 0 at the start. One for all threads. */
#include "belay.h"

int *__errno_location(void)
{
    static int number;
    return &number;
}
