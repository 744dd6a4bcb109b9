//~ memsafety: true
//~ unreach-call: true
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[20] = "ab", c[20];
    snprintf(c, sizeof c, "x%s", b);
    assert(strcmp(c, "xab") == 0);
    // The parts of one array do not overlap, and nothing is written where the size is 0.
    sprintf(b + 3, "x%s", b);
    snprintf(b, 0, "%s", b);
    return 0;
}
