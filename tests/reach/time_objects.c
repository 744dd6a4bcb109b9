// gmtime and localtime give one object: the later call overwrites what the earlier one gave.
#include <time.h>
void reach_error(void);
int main(void) {
    time_t early = 1000000, late = 2000000000;
    struct tm *first = gmtime(&early);
    if (first == 0)
        return 0;
    int year = first->tm_year;
    localtime(&late);
    if (first->tm_year != year)
        reach_error(); //~ false(unreach-call)
    return 0;
}
