//~ memsafety: unknown
#include <stdarg.h>

/* Where arguments come in registers the missing one is read from those: uninitialised, but inside. */
static int first_two(int n, ...) {
    va_list list;
    va_start(list, n);
    int a = va_arg(list, int);
    int b = va_arg(list, int);
    va_end(list);
    return a + b;
}

int main(void) { return first_two(0, 1); }
