/* C17 7.21.10.4: s is NULL or a string. */
#include "belay.h"

void perror(const char *s)
{
    if (s != NULL)
        strlen(s);
}
