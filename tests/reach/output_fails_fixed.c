// As output_fails.c, without the option.
//~ unreach-call: true
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (printf("%d\n", 12) < 0 || fflush(stdout) != 0)
        reach_error();
    return 0;
}
