//~ all: true
#include <assert.h>
#include <string.h>

int main(void) {
    char a[8] = "abcdefg";
    memmove(a + 1, a, 4);
    assert(memcmp(a, "aabcdfg", 8) == 0);
    memmove(a, a + 1, 4);
    assert(memcmp(a, "abcddfg", 8) == 0);
    return 0;
}
