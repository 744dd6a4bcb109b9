//~ all: true
#include <assert.h>
#include <stdarg.h>

struct pair { int a, b; };
struct big { long a[5]; };

static double sum(const char *kinds, ...) {
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    double total = 0;
    for (const char *k = kinds; *k; k++)
        switch (*k) {
        case 'i': total += va_arg(list, int); break;
        case 'l': total += va_arg(list, long long); break;
        case 'd': total += va_arg(list, double); break;
        case 'p': total += *va_arg(list, int *); break;
        case 's': { struct pair p = va_arg(list, struct pair); total += p.a * p.b; break; }
        case 'b': total += va_arg(list, struct big).a[4]; break;
        }
    va_end(list);
    if (*kinds == 'i')
        total += va_arg(again, int);
    va_end(again);
    return total;
}

static int forward(va_list list) { return va_arg(list, int) - va_arg(list, int); }

static int difference(int n, ...) {
    va_list list;
    va_start(list, n);
    int d = forward(list);
    va_end(list);
    return d;
}

int main(void) {
    int x = 5;
    struct pair pair = {3, 4};
    struct big big = {{0, 0, 0, 0, 6}};
    assert(sum("idlpsb", 1, 2.5, 1LL << 33, &x, pair, big) == 1 + 2.5 + 8589934592.0 + 5 + 12 + 6 + 1);
    assert(sum("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, (char)10) == 56);
    assert(sum("dddddddddd", .5, .5, .5, .5, .5, .5, .5, .5, .5, 0.5f) == 5);
    assert(difference(0, 9, 4) == 5);
    return 0;
}
