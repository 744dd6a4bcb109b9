//~ unreach-call: unknown
#include <assert.h>
#include <errno.h>
#include <math.h>

/* The root of a negative number sets errno. */
int main(void) {
    errno = 0;
    double x = sqrt(-1.0);
    assert(errno == 0);
    return x > 3;
}
