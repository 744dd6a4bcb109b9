/* C17 7.29.5.1: any text of fewer than n elements with its NUL, and its length, or 0 and any content. s has n elements, format is a wide
 * string, t points to a struct tm. */
#include "belay.h"

size_t wcsftime(wchar_t *s, size_t n, const wchar_t *format, const struct tm *t)
{
    struct tm read = *t;
    (void)read;
    wcslen(format);
    __belay_precondition(n <= SIZE_MAX / sizeof *s && belay_region(s, n * sizeof *s), "wcsftime: buffer has n elements");
    if (n == 0)
        return 0;
    __belay_approximate("wcsftime");
    if (__VERIFIER_nondet_bool()) {
        __belay_fill(s, n * sizeof *s);
        return 0;
    }
    size_t length = belay_size_at_most(n - 1);
    for (size_t i = 0; i < length; i++) {
        s[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(s[i] > 0);
    }
    s[length] = 0;
    return length;
}
