/* C17 7.27.3.2: asctime of localtime, whose objects both are overwritten. t points to a time_t. */
#include "belay.h"

struct tm *localtime(const time_t *t);
char *asctime(const struct tm *t);

char *ctime(const time_t *t)
{
    struct tm *fields = localtime(t);
    return fields == NULL ? NULL : asctime(fields);
}
