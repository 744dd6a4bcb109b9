//~ unreach-call: unknown
// C17 7.5p3: a call that succeeds may set errno.
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    errno = 0;
    printf("x");
    assert(errno == 0);
    return 0;
}
