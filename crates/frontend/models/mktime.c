/* C17 7.27.2.3: some time, or -1; the fields are brought into their ranges. The zone is not known, so neither is the time. t points to a struct
 * tm whose first six fields and tm_isdst are read. */
#include "belay.h"

time_t mktime(struct tm *t)
{
    struct tm read = *t;
    (void)read;
    belay_sets_zone();
    __belay_approximate("mktime");
    if (__VERIFIER_nondet_bool()) {
        errno = EOVERFLOW;
        return -1;
    }
    t->tm_sec = belay_int_between(0, 60);
    t->tm_min = belay_int_between(0, 59);
    t->tm_hour = belay_int_between(0, 23);
    t->tm_mday = belay_int_between(1, 31);
    t->tm_mon = belay_int_between(0, 11);
    t->tm_year = __VERIFIER_nondet_int();
    t->tm_wday = belay_int_between(0, 6);
    t->tm_yday = belay_int_between(0, 365);
    t->tm_isdst = belay_int_between(0, 1);
    t->tm_gmtoff = belay_int_between(-93600, 93600);
    t->tm_zone = "LCL";
    return __VERIFIER_nondet_long();
}
