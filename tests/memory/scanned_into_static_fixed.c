//~ memsafety: true
/* What is read from the input goes into a variable of static storage. */
#include <stdio.h>

static int x;
static int t[4];

int main(void) {
    if (scanf("%d", &x) != 1)
        return 0;
    if (x >= 100 && x < 104)
        t[x - 100] = 1;
    return 0;
}
