//~ unreach-call: true
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void) {
    double x = sqrt(-1.0);
    errno = 0;
    assert(errno == 0);
    return x > 3;
}
