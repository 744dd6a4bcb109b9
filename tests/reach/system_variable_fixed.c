//~ unreach-call: true
#include <unistd.h>
extern void reach_error(void);
int main(void)
{
    optind = 1;
    if (optind != 1)
        reach_error();
    return 0;
}
