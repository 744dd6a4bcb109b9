//~ unreach-call: true
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void) {
    printf("x");
    errno = 0;
    assert(errno == 0);
    return 0;
}
