#include <stdarg.h>

/* An argument that was not passed lies outside of what va_start laid out. */
static int first_two(int n, ...) {
    va_list list;
    va_start(list, n);
    int a = va_arg(list, int);
    int b = va_arg(list, int); //~ false(valid-deref)
    va_end(list);
    return a + b;
}

int main(void) { return first_two(0, 1); }
