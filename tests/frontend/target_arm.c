//~ options: --target arm-none-eabi
//~ all: true
// The types of 32-bit ARM: char without a sign, long long and double aligned to 8 bytes, long double a double, and the compiler's own macros.
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct record {
    char tag;
    long long time;
    char name[3];
    double value;
};

#if !defined(__arm__) || defined(__i386__) || defined(__linux__)
#error "the macros are not those of the target"
#endif

int main(void) {
    char c = (char)0xff;
    assert(c == 255 && CHAR_MIN == 0);
    assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(size_t) == 4);
    assert(offsetof(struct record, time) == 8 && sizeof(struct record) == 32);
    assert(_Alignof(long long) == 8 && _Alignof(double) == 8);
    assert(sizeof(long double) == 8 && (wchar_t)-1 > 0);
    struct record r = {.tag = 'a', .time = INT64_C(1) << 40};
    unsigned char bytes[sizeof r];
    memcpy(bytes, &r, sizeof r);
    assert(bytes[8 + 5] == 1);
    return 0;
}
