// As order_returned.c, but only signs are looked at.
//~ options: --engines run
//~ unreach-call: true
#include <assert.h>
#include <string.h>

static int by_name(const char *a, const char *b) {
    if (a == b)
        return 0;
    return strcmp(a, b);
}

int main(void) {
    char one[] = "ab", two[] = "ad";
    assert(by_name(one, two) < 0);
    int order = by_name(two, one);
    assert(order > 0);
    return 0;
}
