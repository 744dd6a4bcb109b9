//~ unreach-call: true
#include <assert.h>
#include <unistd.h>

int main(void) {
    int first = isatty(0);
    assert(isatty(0) == first);
    return 0;
}
