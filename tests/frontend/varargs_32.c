//~ options: --data-model ILP32
//~ all: true
#include <assert.h>
#include <stdarg.h>

struct pair { int a, b; };

static double sum(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    double total = 0;
    for (const char *k = kinds; *k; k++)
        switch (*k) {
        case 'i': total += va_arg(list, int); break;
        case 'l': total += va_arg(list, long long); break;
        case 'd': total += va_arg(list, double); break;
        case 's': { struct pair p = va_arg(list, struct pair); total += p.a * p.b; break; }
        }
    va_end(list);
    return total;
}

int main(void) {
    assert(sum("idlsi", 1, 2.5, 1LL << 33, (struct pair){3, 4}, 9) == 1 + 2.5 + 8589934592.0 + 12 + 9);
    return 0;
}
