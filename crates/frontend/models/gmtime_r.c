/* POSIX: exact, by the proleptic Gregorian calendar: days are counted from 1 March of year 0, in eras of 400 years, so that leap days come last.
 * NULL with EOVERFLOW if the year does not fit. t points to a time_t, result to a struct tm. */
#include "belay.h"

enum { ERA_DAYS = 146097, DAYS_TO_1970 = 719468 };

struct tm *gmtime_r(const time_t *t, struct tm *result)
{
    long long seconds = *t % 86400, days = *t / 86400;
    if (seconds < 0) {
        seconds += 86400;
        days--;
    }
    long long weekday = (days + 4) % 7;
    days += DAYS_TO_1970;
    long long era = (days >= 0 ? days : days - (ERA_DAYS - 1)) / ERA_DAYS;
    long long day = days - era * ERA_DAYS; /* of the era */
    long long year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100; /* of the year that begins in March */
    long long month = (5 * day + 2) / 153;     /* March is 0 */
    int leap = (year % 4 == 0 && year % 100 != 0) || year == 0;
    /* From here on January and February belong to the next year. */
    _Bool next = month >= 10;
    long long full = era * 400 + year + next - 1900;
    if (full < INT_MIN || full > INT_MAX) {
        errno = EOVERFLOW;
        return NULL;
    }
    result->tm_sec = (int)(seconds % 60);
    result->tm_min = (int)(seconds / 60 % 60);
    result->tm_hour = (int)(seconds / 3600);
    result->tm_mday = (int)(day - (153 * month + 2) / 5 + 1);
    result->tm_mon = (int)(next ? month - 10 : month + 2);
    result->tm_year = (int)full;
    result->tm_wday = (int)(weekday < 0 ? weekday + 7 : weekday);
    result->tm_yday = (int)(next ? day - 306 : day + 59 + leap);
    result->tm_isdst = 0;
    result->tm_gmtoff = 0;
    result->tm_zone = "GMT";
    return result;
}
