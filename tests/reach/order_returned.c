// A comparison of strings that another function returns: a caller that looks at more than the sign of it sees what C leaves open.
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
    assert(by_name(one, two) == -1); //~ false(unreach-call)
    return 0;
}
