// localtime sets the variables of the time zone.
#include <time.h>
void reach_error(void);
int main(void) {
    time_t now = 1000000;
    timezone = 5;
    localtime(&now);
    if (timezone != 5)
        reach_error();
    return 0;
}
//~ unreach-call: unknown
