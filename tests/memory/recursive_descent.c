//~ memsafety: false(valid-deref)
// As recursive_descent_fixed.c for short lines, but a sign is skipped together with what follows it, which may be the end.
#include <stdio.h>

struct lexer {
    const char *p;
    int depth;
    int error;
};

static long sum(struct lexer *l);

static long number(struct lexer *l) {
    long value = 0;
    while (*l->p >= '0' && *l->p <= '9') {
        if (value < 100000)
            value = value * 10 + (*l->p - '0');
        l->p++;
    }
    return value;
}

static long factor(struct lexer *l) {
    if (*l->p == '(') {
        if (l->depth >= 50) {
            l->error = 1;
            return 0;
        }
        l->depth++;
        l->p++;
        long value = sum(l);
        if (*l->p == ')')
            l->p++;
        l->depth--;
        return value;
    }
    return number(l);
}

static long sum(struct lexer *l) {
    long value = factor(l);
    while (!l->error && *l->p == '+') {
        l->p += 2;
        long other = factor(l);
        value = value + other;
        if (value > 1000000) {
            l->error = 1;
            value = 0;
        }
    }
    return value;
}

int main(void) {
    char line[4];
    while (fgets(line, sizeof line, stdin)) {
        struct lexer l = {line, 0, 0};
        long value = sum(&l);
        if (!l.error)
            printf("%ld\n", value);
    }
    return 0;
}
