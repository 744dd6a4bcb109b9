// As time_objects.c, but the first time is copied.
#include <time.h>
//~ unreach-call: true
void reach_error(void);
int main(void) {
    time_t early = 1000000, late = 2000000000;
    struct tm *first = gmtime(&early);
    if (first == 0)
        return 0;
    struct tm kept = *first;
    int year = kept.tm_year;
    localtime(&late);
    if (kept.tm_year != year)
        reach_error();
    return 0;
}
