//~ memsafety: true
#include <stdarg.h>

/* Both arguments are there. */
static int first_two(int n, ...) {
    va_list list;
    va_start(list, n);
    int a = va_arg(list, int);
    int b = va_arg(list, int);
    va_end(list);
    return a + b;
}

int main(void) { return first_two(0, 1, 2); }
