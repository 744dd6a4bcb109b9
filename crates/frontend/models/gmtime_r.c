/* POSIX: a broken-down time with every field in its range, or NULL. The fields need not fit the time given, nor each other. t points to
 * a time_t. result points to a struct tm. */
#include "belay.h"

struct tm *gmtime_r(const time_t *t, struct tm *result)
{
    time_t seconds = *t;
    (void)seconds;
    if (__VERIFIER_nondet_bool()) {
        belay_failure();
        return NULL;
    }
    result->tm_sec = belay_int_between(0, 60);
    result->tm_min = belay_int_between(0, 59);
    result->tm_hour = belay_int_between(0, 23);
    result->tm_mday = belay_int_between(1, 31);
    result->tm_mon = belay_int_between(0, 11);
    result->tm_year = __VERIFIER_nondet_int();
    result->tm_wday = belay_int_between(0, 6);
    result->tm_yday = belay_int_between(0, 365);
    result->tm_isdst = 0;
    result->tm_gmtoff = 0;
    result->tm_zone = "GMT";
    return result;
}
