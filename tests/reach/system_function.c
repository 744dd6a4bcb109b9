// What a function of the system's library returns is in its manual: that `ffs` of 8 is anything but 4 is nothing that a violation may rest on.
//~ unreach-call: unknown
#include <strings.h>
extern void reach_error(void);
int main(void)
{
    if (ffs(8) != 4)
        reach_error();
    return 0;
}
