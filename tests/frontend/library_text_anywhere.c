// Where the C library keeps the text that it gives back is its own affair.
#include <assert.h>
#include <stdint.h>
#include <time.h>

int main(void) {
    time_t start = 0;
    const char *text = asctime(gmtime(&start));
    if (!text) return 0;
    assert(((uintptr_t)text & 1) == 0); //~ false(unreach-call)
    return 0;
}
