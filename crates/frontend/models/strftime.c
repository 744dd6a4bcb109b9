/* C17 7.27.3.5: any text of fewer than n bytes with its NUL, and its length, or 0 and any content. s has n bytes, format is a
 * string, t points to a struct tm. */
#include "belay.h"

size_t strftime(char *s, size_t n, const char *format, const struct tm *t)
{
    struct tm read = *t;
    (void)read;
    belay_sets_zone();
    strlen(format);
    __belay_precondition(belay_region(s, n), "strftime: buffer has n bytes");
    if (n == 0)
        return 0;
    __belay_approximate("strftime");
    if (__VERIFIER_nondet_bool()) {
        __belay_fill(s, n);
        return 0;
    }
    size_t length = belay_size_at_most(n - 1);
    for (size_t i = 0; i < length; i++) {
        s[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(s[i] != '\0');
    }
    s[length] = '\0';
    return length;
}
