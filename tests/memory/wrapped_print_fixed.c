//~ memsafety: true
//~ termination: true
/* A string that grows by formatted text, and messages: arguments go through `...` twice. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct text {
    char *data;
    size_t len, cap;
};

static void warn(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("warning: ", stderr);
    vfprintf(stderr, format, args);
    va_end(args);
}

static void add(struct text *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (need >= 0 && t->len + need + 1 > t->cap) {
        size_t cap = t->cap * 2 + need + 1;
        char *data = realloc(t->data, cap);
        if (data == NULL) {
            va_end(again);
            return;
        }
        t->data = data;
        t->cap = cap;
        warn("%zu bytes for %s", cap, data);
    }
    if (need >= 0) {
        vsnprintf(t->data + t->len, t->cap - t->len, format, again);
        t->len += need;
    }
    va_end(again);
}

int main(void) {
    struct text t = {malloc(8), 0, 8};
    t.data[0] = '\0';
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 1000; i++)
        add(&t, "%s%d", i > 0 ? ", " : "", i);
    puts(t.data);
    free(t.data);
    return 0;
}
