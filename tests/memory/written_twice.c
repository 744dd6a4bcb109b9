/* Each character is written once or twice, or as three: texts of twice and three times the size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

static char *quoted(const char *s) {
    char *out = malloc(2 * strlen(s) + 2), *q = out;
    *q++ = '"';
    for (; *s != '\0'; s++) {
        if (*s == '"' || *s == '\\')
            *q++ = '\\';
        *q++ = *s;
    }
    *q++ = '"';
    *q = '\0'; //~ false(valid-deref)
    return out;
}

static char *encoded(const char *s) {
    size_t len = strlen(s), at = 0;
    char *out = malloc(3 * len + 1);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = s[i];
        if (c > ' ' && c < 127 && c != '%')
            out[at++] = c;
        else
            at += sprintf(out + at, "%%%02X", c);
    }
    out[at] = '\0';
    return out;
}

int main(void) {
    size_t n = __VERIFIER_nondet_ushort();
    char *text = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        text[i] = __VERIFIER_nondet_char();
    text[n] = '\0';
    char *first = quoted(text), *second = encoded(first);
    puts(second);
    free(second);
    free(first);
    free(text);
    return 0;
}
