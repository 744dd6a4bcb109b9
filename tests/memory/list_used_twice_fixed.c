//~ memsafety: true
#include <stdarg.h>
#include <stdio.h>

static void twice(const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    vprintf(format, args);
    vprintf(format, again);
    va_end(again);
    va_end(args);
}

int main(void) {
    twice("%s %d\n", "one", 1);
    return 0;
}
