//~ all: true
#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#define kind(x) _Generic((x), int: 1, double: 2, char *: 3, default: 0)

struct aligned { char c; alignas(16) int i; };
_Static_assert(sizeof(struct aligned) == 32, "padded");

static _Noreturn void stop(void) { __builtin_trap(); }

int main(void) {
    char *s = "s";
    assert(kind(1) == 1 && kind(1.0) == 2 && kind(s) == 3 && kind(1L) == 0);
    struct aligned a = {.i = 4};
    assert(alignof(struct aligned) == 16 && ((uintptr_t)&a.i & 15) == 0 && a.i == 4);
    struct { struct { int x; }; union { int y; float z; }; } anonymous = {.x = 1, .y = 2};
    assert(anonymous.x + anonymous.y == 3);
    int n = 3;
    int *restrict p = &n;
    if (*p != 3)
        stop();
    return 0;
}
