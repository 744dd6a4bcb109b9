/* C17 7.27.2.2: the difference in seconds, rounded once. */
#include "belay.h"

double difftime(time_t later, time_t earlier)
{
    if (sizeof(time_t) < sizeof(double) || (later >= -(1LL << 52) && later <= 1LL << 52 && earlier >= -(1LL << 52) && earlier <= 1LL << 52))
        return (double)later - (double)earlier;
    if (later >= earlier)
        return (double)((unsigned long long)later - (unsigned long long)earlier);
    return -(double)((unsigned long long)earlier - (unsigned long long)later);
}
