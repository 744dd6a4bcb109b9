/* POSIX: getchar. */
#include "belay.h"

int getchar_unlocked(void)
{
    return fgetc(stdin);
}
