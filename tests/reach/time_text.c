// ctime and asctime give one text.
#include <time.h>
void reach_error(void);
int main(void) {
    time_t now = 1000000;
    struct tm first_of_january = {.tm_mday = 1};
    char *one = ctime(&now);
    if (one && one == asctime(&first_of_january))
        reach_error(); //~ false(unreach-call)
    return 0;
}
