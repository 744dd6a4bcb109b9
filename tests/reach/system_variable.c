//~ unreach-call: unknown
// What the system's library keeps in a variable is in its manual: that `optind` starts as anything but 1 is nothing that a violation may rest on.
#include <unistd.h>
extern void reach_error(void);
int main(void)
{
    if (optind != 1)
        reach_error();
    return 0;
}
