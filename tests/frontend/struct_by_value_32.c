//~ options: --data-model ILP32
//~ all: true
#include <assert.h>

struct two { int a; float b; };
struct three { long a, b, c; };
struct odd { char bytes[7]; };

static struct two f2(struct two s) { s.a += (int)s.b; return s; }
static struct three f4(struct three s) { s.c = s.a + s.b; return s; }
static struct odd f5(struct odd s) { s.bytes[6] = s.bytes[0]; return s; }
static long long sum(struct two t, long long l, struct odd o, double d) { return t.a + l + o.bytes[6] + (long long)d; }

int main(void) {
    struct two t = f2((struct two){1, 2.5f});
    assert(t.a == 3 && t.b == 2.5f);
    struct three a = {1, 2, 0}, b = f4(a);
    assert(a.c == 0 && b.c == 3);
    struct odd o = f5((struct odd){{9, 8}});
    assert(sum(t, 1LL << 40, o, 10.0) == (1LL << 40) + 22);
    return 0;
}
