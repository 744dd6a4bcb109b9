// As strcpy_main.c, but the target is one byte short.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void copy(char *s1, const char *s2) {
    char *dst = s1;
    const char *src = s2;
    while ((*dst++ = *src++) != '\0')
        ;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) n = 1;
    char *from = malloc(n);
    char *to = malloc(n - 1);
    from[n - 1] = 0;
    copy(to, from);
    free(from);
    free(to);
    return 0;
}
