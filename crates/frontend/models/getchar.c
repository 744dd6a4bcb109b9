/* C17 7.21.7.6: fgetc of stdin. */
#include "belay.h"

int getchar(void)
{
    return fgetc(stdin);
}
