//~ unreach-call: true
//~ memsafety: true
// Variadic functions of one's own, and arguments beyond the registers.
#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

static double largest(int count, ...)
{
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    double best = va_arg(again, double);
    for (int i = 0; i < count; i++) {
        double x = va_arg(list, double);
        if (x > best)
            best = x;
    }
    va_end(list);
    va_end(again);
    return best;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < -1000 || x > 1000)
        return 0;
    if (sum(9, x, 1, 2, 3, 4, 5, 6, 7, 8) != x + 36)
        reach_error();
    if (largest(3, (double)x, 2000.0, 1.0) != 2000.0)
        reach_error();
    return 0;
}
