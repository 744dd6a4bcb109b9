// Another descriptor may be none; what standard input is does not change.
//~ unreach-call: unknown
#include <assert.h>
#include <unistd.h>

int main(void) {
    int first = isatty(7);
    assert(isatty(7) == first);
    return 0;
}
