/* POSIX: asctime_r of localtime_r. t points to a time_t; text has 26 bytes. */
#include "belay.h"

char *ctime_r(const time_t *t, char *text)
{
    struct tm fields;
    return localtime_r(t, &fields) == NULL ? NULL : asctime_r(&fields, text);
}
