//~ unreach-call: true
#include <assert.h>
#include <string.h>

int (*compare)(const char *, const char *) = strcmp;

int main(void) {
    int order = compare("d", "a");
    assert(order >= 1);
    return 0;
}
