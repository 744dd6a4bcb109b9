// Output may fail where that is asked for.
//~ options: --io-may-fail
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (printf("%d\n", 12) < 0 || fflush(stdout) != 0)
        reach_error(); //~ false(unreach-call)
    return 0;
}
