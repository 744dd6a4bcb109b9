#include <stdarg.h>
#include <stdio.h>

static va_list kept;

static void keep(const char *format, ...) {
    va_start(kept, format);
}

int main(void) {
    keep("%s\n", "gone");
    vprintf("%s\n", kept); //~ false(valid-deref)
    return 0;
}
