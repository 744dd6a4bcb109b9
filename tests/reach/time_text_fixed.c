// As time_text.c, but the texts are written to two arrays.
#include <time.h>
//~ unreach-call: true
void reach_error(void);
int main(void) {
    time_t now = 1000000;
    struct tm first_of_january = {.tm_mday = 1};
    char one[26], other[26];
    char *text = ctime_r(&now, one);
    if (text && text == asctime_r(&first_of_january, other))
        reach_error();
    return 0;
}
