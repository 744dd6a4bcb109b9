// As time_zone_variable.c, with a function that does not ask for local time.
#include <time.h>
//~ unreach-call: true
void reach_error(void);
int main(void) {
    time_t now = 1000000;
    timezone = 5;
    gmtime(&now);
    if (timezone != 5)
        reach_error();
    return 0;
}
