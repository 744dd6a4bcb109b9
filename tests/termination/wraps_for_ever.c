//~ termination: false
// -x gets smaller in every round but the one that wraps: computed in eight bits it would seem to get smaller in that one as well.
#include <stdio.h>

int main(void) {
    signed char x = 0;
    while (1) {
        x++;
        printf("%d", x);
    }
    return 0;
}
