//~ unreach-call: true
#include <assert.h>
#include <stdint.h>
#include <time.h>

int main(void) {
    time_t start = 0;
    const struct tm *parts = gmtime(&start);
    if (!parts) return 0;
    assert(((uintptr_t)parts & (_Alignof(struct tm) - 1)) == 0);
    return 0;
}
