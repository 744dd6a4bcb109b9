/* C17 7.27.2.4: any time. The value is an undefined one, which is arbitrary but fixed, and costs nothing unless it is used. */
#include "belay.h"

#pragma clang diagnostic ignored "-Wuninitialized"

time_t time(time_t *timer)
{
    time_t now;
    if (timer)
        *timer = now;
    return now;
}
