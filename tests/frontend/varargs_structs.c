//~ all: true
// Structs of every class through `...`, more of them than registers hold.
#include <assert.h>
#include <stdarg.h>

struct mixed { double d; int i; };
struct floats { float x, y; };
struct three { float x, y, z; };
struct ints { int a, b; };
struct longs { long a, b; };
struct large { char c[20]; };

static double total(int n, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) {
        struct mixed m = va_arg(list, struct mixed);
        struct ints n = va_arg(list, struct ints);
        struct longs l = va_arg(list, struct longs);
        struct large g = va_arg(list, struct large);
        double d = va_arg(list, double);
        struct floats f = va_arg(list, struct floats);
        long long w = va_arg(list, long long);
        struct three t = va_arg(list, struct three);
        sum += m.d + m.i + n.a + n.b + (double)(l.a + l.b) + g.c[19] + d + f.x + f.y + (double)w + t.x + t.y + t.z;
    }
    va_end(list);
    return sum;
}

int main(void)
{
    struct mixed m = {1.5, 2};
    struct floats f = {2.5f, 3.5f};
    struct three t = {0.25f, 0.5f, 0.75f};
    struct ints n = {3, 4};
    struct longs l = {5, 6};
    struct large g = {{0}};
    g.c[19] = 7;
    assert(total(2, m, n, l, g, 8.0, f, 9LL, t, m, n, l, g, 8.0, f, 9LL, t) == 2 * 53.0);
    return 0;
}
