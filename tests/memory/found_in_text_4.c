/* What is found in a text of any length lies before its end, with all of its bytes. */
#include <stdlib.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

static char *text(size_t n) {
    char *s = malloc(n + 1);
    for (size_t i = 0; i < n; i++)
        s[i] = __VERIFIER_nondet_char();
    s[n] = '\0';
    return s;
}

int main(void) {
    size_t n = __VERIFIER_nondet_ushort();
    char *s = text(n), *word = text(5), *at;
    int seen = 0;
    at = strstr(s, word);
    if (at != NULL)
        seen += at[strlen(word)];
    at = strpbrk(s, "=:");
    if (at != NULL)
        seen += at[1];
    at = memchr(s, '#', n);
    if (at != NULL)
        at[1] = '\0';
    s[strcspn(s, "\r\n") + 1] = 0; //~ false(valid-deref)
    char *rest = s + strspn(s, " \t");
    seen += *rest;
    free(word);
    free(s);
    return seen != 0;
}
