// A struct and a pointer go through `...`, and are taken out in another order: what is taken for the pointer is a part of the struct.
//~ options: --engines bmc
#include <stdarg.h>
extern long __VERIFIER_nondet_long(void);
struct three { long a[3]; };
static int compare(int n, ...)
{
    va_list list;
    va_start(list, n);
    struct three first = va_arg(list, struct three);
    struct three *second = va_arg(list, struct three *);
    va_end(list);
    return second->a[0] > first.a[0]; //~ false(valid-deref)
}
int main(void)
{
    long n = __VERIFIER_nondet_long();
    struct three x = {{n, 2, 0}}, y = {{n, 2, 0}};
    return compare(2, &x, y);
}
