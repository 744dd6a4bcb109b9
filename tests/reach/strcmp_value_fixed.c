//~ unreach-call: true
#include <assert.h>
#include <string.h>

static int order_of(const char *a, const char *b) {
    return strcmp(a, b);
}

int main(void) {
    int order = strcmp("d", "a");
    assert(order > 0);
    assert(order_of("a", "b") <= -1 && order_of("a", "a") == 0);
    return 0;
}
