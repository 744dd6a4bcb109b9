/* POSIX: the time in a zone of which nothing is known: gmtime_r of the time moved by at most 26 hours, summer time or not, or NULL. t points to a
 * time_t, result to a struct tm. */
#include "belay.h"

struct tm *localtime_r(const time_t *t, struct tm *result)
{
    int offset = belay_int_between(-93600, 93600);
    time_t moved = *t;
    if (offset > 0 ? moved > LONG_MAX - offset : moved < LONG_MIN - offset) {
        errno = EOVERFLOW;
        return NULL;
    }
    moved += offset;
    if (gmtime_r(&moved, result) == NULL)
        return NULL;
    result->tm_isdst = belay_int_between(0, 1);
    result->tm_gmtoff = offset;
    result->tm_zone = "LCL";
    return result;
}
