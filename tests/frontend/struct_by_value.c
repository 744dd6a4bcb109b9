//~ all: true
#include <assert.h>

struct one { char c; };
struct two { int a; float b; };
struct mixed { double d; int i; };
struct three { long a, b, c; };
struct odd { char bytes[7]; };
struct array { int a[4]; };

static struct one f1(struct one s) { s.c++; return s; }
static struct two f2(struct two s) { s.a += (int)s.b; return s; }
static struct mixed f3(struct mixed s) { s.i += (int)s.d; return s; }
static struct three f4(struct three s) { s.c = s.a + s.b; return s; }
static struct odd f5(struct odd s) { s.bytes[6] = s.bytes[0]; return s; }
static struct array f6(struct array s) { s.a[3] = s.a[0]; return s; }
static int many(int a, struct three s, struct two t, int b, double d, struct odd o, int c, int e, int f, int g) {
    return a + (int)s.c + t.a + b + (int)d + o.bytes[1] + c + e + f + g;
}

int main(void) {
    assert(f1((struct one){'a'}).c == 'b');
    struct two t = f2((struct two){1, 2.5f});
    assert(t.a == 3 && t.b == 2.5f);
    assert(f3((struct mixed){3.0, 4}).i == 7);
    struct three a = {1, 2, 0}, b = f4(a);
    assert(a.c == 0 && b.c == 3);
    struct odd o = f5((struct odd){{9, 8}});
    assert(o.bytes[6] == 9 && o.bytes[1] == 8);
    struct array r = f6((struct array){{5, 6}});
    assert(r.a[3] == 5 && r.a[1] == 6);
    assert(many(1, b, t, 2, 3.5, o, 4, 5, 6, 7) == 1 + 3 + 3 + 2 + 3 + 8 + 4 + 5 + 6 + 7);
    return 0;
}
