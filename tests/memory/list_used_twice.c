#include <stdarg.h>
#include <stdio.h>

/* The list is at its end after the first time. */
static void twice(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    vprintf(format, args); //~ false(valid-deref)
    va_end(args);
}

int main(void) {
    twice("%s %d\n", "one", 1);
    return 0;
}
