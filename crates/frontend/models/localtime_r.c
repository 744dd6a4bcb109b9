/* POSIX: the time in a zone of which nothing is known: gmtime_r of the time moved by at most 26 hours, summer time or not, or NULL; the
 * same for the same time. No violation rests on another time that is asked for. t points to a
 * time_t, result to a struct tm. */
#include "belay.h"

struct tm *localtime_r(const time_t *t, struct tm *result)
{
    static _Bool known;
    static time_t last;
    static int offset, summer;
    belay_sets_zone();
    if (known && *t != last)
        __belay_approximate("when a zone changes its offset is not known");
    if (!known || *t != last) {
        known = 1;
        last = *t;
        offset = belay_int_between(-93600, 93600);
        summer = belay_int_between(0, 1);
    }
    time_t moved = *t;
    if (offset > 0 ? moved > LONG_MAX - offset : moved < LONG_MIN - offset) {
        errno = EOVERFLOW;
        return NULL;
    }
    moved += offset;
    if (gmtime_r(&moved, result) == NULL)
        return NULL;
    result->tm_isdst = summer;
    result->tm_gmtoff = offset;
    result->tm_zone = "LCL";
    return result;
}
