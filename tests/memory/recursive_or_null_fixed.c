//~ memsafety: true
//~ termination: true
// A parser that gives the place behind what it has read, or null: what its calls leave is one or the other.
#include <stdio.h>

static const char *value(const char *p, int depth);

static const char *list(const char *p, int depth) {
    p++;
    for (;;) {
        p = value(p, depth + 1);
        if (!p || *p == ']')
            return p ? p + 1 : NULL;
        if (*p != ',')
            return NULL;
        p++;
    }
}

static const char *value(const char *p, int depth) {
    if (depth > 100)
        return NULL;
    if (*p == '[')
        return list(p, depth);
    return *p == '1' ? p + 1 : NULL;
}

int main(void) {
    char line[200];
    while (fgets(line, sizeof line, stdin)) {
        const char *end = value(line, 0);
        puts(end && *end == '\n' ? "a list" : "none");
    }
    return 0;
}
