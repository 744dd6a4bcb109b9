//~ all: true
#include <assert.h>

struct empty {};
struct zero_length { int n; char data[0]; };
union cast { int i; float f; };

#define max(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })

static inline __attribute__((always_inline)) int inlined(int x) { return x + 1; }

int main(void) {
    __label__ out;
    int x = 3;
    assert(max(x++, 2) == 3 && x == 4);
    assert(sizeof(struct empty) == 0 && sizeof(struct zero_length) == sizeof(int));
    union cast u = (union cast)x;
    assert(u.i == 4 && inlined(1) == 2);
    void *p = &x;
    assert((p + 1) - p == 1);
    int range[10] = {[2 ... 5] = 7};
    assert(range[5] == 7 && range[6] == 0);
    __extension__ long long big = 0b101;
    if (big == 5)
        goto out;
    assert(0);
out:
    return 0;
}
