//~ all: true
#include <assert.h>
#include <limits.h>
#include <stdint.h>

int main(void) {
    int8_t a = -128;
    uint8_t b = 255;
    int16_t c = -32768;
    uint16_t d = 65535;
    int32_t e = INT32_MIN;
    uint32_t f = UINT32_MAX;
    int64_t g = INT64_MIN;
    uint64_t h = UINT64_MAX;
    assert(a < 0 && b > 0 && c < 0 && d > 0 && e < 0 && f > 0 && g < 0 && h > 0);
    assert((uint8_t)a == 128 && (int8_t)b == -1);
    assert((int64_t)e == -2147483648LL && (uint64_t)e == 0xffffffff80000000ull);
    assert((uint16_t)f == 65535 && (int16_t)f == -1);
    assert((uint8_t)(b + 1) == 0 && b + 1 == 256);
    assert(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(long long) == 8);
    assert(LONG_MAX == INT64_MAX);
    /* Signed and unsigned compared: the signed one is converted. */
    assert(-1 > 0u && -1L < 0u);
    return 0;
}
