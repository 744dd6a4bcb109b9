//~ all: true
#include <assert.h>
#include <limits.h>

int main(void) {
    char c = '\xff';
    assert(c == -1 && CHAR_MIN < 0 && (unsigned char)c == 255);
    unsigned char u = 'a';
    u <<= 1;
    assert(u == 194 && (signed char)u == -62);
    short s = (short)100000;
    assert(s == -31072);
    int multi = 'ab';
    assert(multi == 'a' * 256 + 'b' && sizeof 'a' == sizeof(int));
    return 0;
}
