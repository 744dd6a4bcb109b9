//~ unreach-call: true
#include <strings.h>
extern void reach_error(void);
int main(void)
{
    int first = ffs(8);
    if (first != 4 && first == 4)
        reach_error();
    return 0;
}
