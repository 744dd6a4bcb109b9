/* wchar.h and wctype.h. */
#include "harness.h"
#include <wctype.h>

#define A any_wide(8)
#define W sizeof(wchar_t)
#define D ((wchar_t *)d)
AGREE(wcslen, wchar_t *a = A, f(a))
AGREE(wcsnlen, size_t n; wchar_t *a = any_bounded_wide(&n), f(a, n))
AGREE_WRITE(wcscpy, wchar_t *s = A, (wcslen(s) + 1 + below(3)) * W, OFFSET(f(D, s), d))
AGREE_WRITE(wcpcpy, wchar_t *s = A, (wcslen(s) + 1 + below(3)) * W, OFFSET(f(D, s), d))
AGREE_WRITE(wcsncpy, size_t n; wchar_t *s = any_bounded_wide(&n), n * W, OFFSET(f(D, s, n), d))
AGREE_WRITE(wcpncpy, size_t n; wchar_t *s = any_bounded_wide(&n), n * W, OFFSET(f(D, s, n), d))
AGREE_WRITE(wcsxfrm, wchar_t *s = A; size_t n = wcslen(s) + 1 + below(4), n * W, f(D, s, n))
AGREE_WRITE(wmemcpy, size_t n = below(9); wchar_t *s = random_block(n * W), n * W, OFFSET(f(D, s, n), d))
AGREE_WRITE(wmempcpy, size_t n = below(9); wchar_t *s = random_block(n * W), n * W, OFFSET(f(D, s, n), d))
AGREE_WRITE(wmemmove, size_t n = below(9); size_t i = below(4); size_t j = below(4), (n + 4) * W, OFFSET(f(D + i, D + j, n), d))
AGREE_WRITE(wmemset, size_t n = below(9), n * W, OFFSET(f(D, 77, n), d))
static size_t room;
static void *appendable(size_t bytes)
{
    wchar_t *p = random_block(bytes);
    size_t end = bytes / W - 1 - room;
    for (size_t i = 0; i < end; i++)
        p[i] = 'x';
    p[end] = 0;
    return p;
}
#undef BUFFER
#define BUFFER appendable
AGREE_WRITE(wcscat, wchar_t *s = A; room = wcslen(s), (room + 1 + below(4)) * W, OFFSET(f(D, s), d))
AGREE_WRITE(wcsncat, size_t n; wchar_t *s = any_bounded_wide(&n); room = wcsnlen(s, n), (room + 1 + below(4)) * W, OFFSET(f(D, s, n), d))
#undef BUFFER
#define BUFFER random_block

static wchar_t any_wchar(void) { return below(8) == 0 ? (wchar_t)any_number() : below(6) == 0 ? 0 : alphabet()[below(strlen(alphabet()))]; }
static wchar_t *similar(wchar_t *a)
{
    wchar_t *b = copy_block(a, (wcslen(a) + 1) * W);
    if (below(2) && *b)
        b[below(wcslen(b))] = any_wchar();
    return b;
}
AGREE(wcscmp, wchar_t *a = A; wchar_t *b = similar(a), SIGN(f(a, b)))
AGREE(wcsncmp, wchar_t *a = A; wchar_t *b = similar(a); size_t n = below(10), SIGN(f(a, b, n)))
AGREE(wcscasecmp, wchar_t *a = A; wchar_t *b = A, SIGN(f(a, b)))
AGREE(wcsncasecmp, wchar_t *a = A; wchar_t *b = A; size_t n = below(10), SIGN(f(a, b, n)))
AGREE(wcscoll, wchar_t *a = A; wchar_t *b = A, SIGN(f(a, b)))
AGREE(wmemcmp, size_t n = below(10); wchar_t *a = random_block(n * W); wchar_t *b = copy_block(a, n * W); if (n && below(2)) b[below(n)] = any_wchar(), SIGN(f(a, b, n)))
AGREE(wmemchr, wchar_t *a = A; wchar_t c = any_wchar(); size_t n = below(wcslen(a) + 2), f(a, c, n))
AGREE(wcschr, wchar_t *a = A; wchar_t c = any_wchar(), f(a, c))
AGREE(wcschrnul, wchar_t *a = A; wchar_t c = any_wchar(), f(a, c))
AGREE(wcsrchr, wchar_t *a = A; wchar_t c = any_wchar(), f(a, c))
AGREE(wcsspn, wchar_t *a = A; wchar_t *b = any_wide(3), f(a, b))
AGREE(wcscspn, wchar_t *a = A; wchar_t *b = any_wide(2), f(a, b))
AGREE(wcspbrk, wchar_t *a = A; wchar_t *b = any_wide(2), f(a, b))
AGREE(wcsstr, wchar_t *a = A; wchar_t *b = any_wide(3), f(a, b))
wchar_t *wcswcs(const wchar_t *, const wchar_t *);
AGREE(wcswcs, wchar_t *a = A; wchar_t *b = any_wide(3), f(a, b))
AGREE(btowc, int c = (int)below(400) - 10, f(c))
AGREE(wctob, wint_t c = below(2) ? below(400) : any_number(), f(c))
MODEL(wcstok); MODEL(wcsdup);
TEST(wcsdup)
{
    wchar_t *s = A, *x = m_wcsdup(s);
    int same = x != s && wcscmp(x, s) == 0;
    free(x);
    return same;
}
TEST(wcstok)
{
    wchar_t *s = A, *t = copy_block(s, (wcslen(s) + 1) * W), *d = any_wide(2), *p = NULL, *q = NULL;
    size_t n = (wcslen(s) + 1) * W;
    for (int i = 0; i < 10; i++) {
        wchar_t *x = wcstok(i ? NULL : s, d, &p), *y = m_wcstok(i ? NULL : t, d, &q);
        if (OFFSET(x, s) != OFFSET(y, t) || OFFSET(p, s) != OFFSET(q, t) || memcmp(s, t, n) != 0)
            return 0;
    }
    return 1;
}
#define CLASS(name) AGREE(name, wint_t c = below(4) ? below(70000) : below(2) ? below(300) : (wint_t)any_number(), f(c) != 0)
CLASS(iswalnum) CLASS(iswalpha) CLASS(iswblank) CLASS(iswcntrl) CLASS(iswdigit) CLASS(iswgraph) CLASS(iswlower) CLASS(iswprint)
CLASS(iswpunct) CLASS(iswspace) CLASS(iswupper) CLASS(iswxdigit)
#define CASE(name) AGREE(name, wint_t c = below(4) ? below(70000) : below(2) ? below(300) : (wint_t)any_number(), f(c))
CASE(towlower) CASE(towupper)
TEST_N(wcscpy_overlap, "wcscpy overlap", 2000)
{
    extern wchar_t *m_wcscpy(wchar_t *, const wchar_t *);
    wchar_t *p = block(40 * W);
    size_t i = below(16), j = below(16), len = below(4);
    wmemset(p, 'y', 40);
    p[j + len] = 0;
    int expected = i < j + len + 1 && j < i + len + 1;
    return ENDING(m_wcscpy(p + i, p + j)) == (expected ? VIOLATED : FINISHED);
}
AGREE(wcwidth, wchar_t c = any_wchar(), f(c))
AGREE(wcswidth, size_t n; wchar_t *a = any_bounded_wide(&n), f(a, n))
/* Bytes, one in six of them outside ASCII. */
static char *any_bytes(size_t *n)
{
    char *s = any_bounded(n);
    if (below(2) && *n > 0 && s[0] != 0)
        s[0] = (char)random_bits();
    return s;
}
AGREE(mbsinit, mbstate_t *s = below(4) ? block(sizeof *s) : NULL; if (s) memset(s, 0, sizeof *s), f(s) != 0)
AGREE(mbrlen, size_t n; char *s = any_bytes(&n); if (below(8) == 0) s = NULL; mbstate_t state = {0}, f(s, n, &state))
AGREE_WRITE(mbrtowc, size_t n; char *s = any_bytes(&n); mbstate_t state = {0}, W, f(D, s, n, &state))
AGREE_WRITE(wcrtomb, wchar_t c = any_wchar(); mbstate_t state = {0}, 1, f(d, c, &state))
AGREE_WRITE(mbsrtowcs, char *s = any_string(6); if (below(3) == 0 && *s) s[strlen(s) - 1] = (char)random_bits(); size_t n = below(8); mbstate_t state = {0}, n * W,
            ({ const char *from = s; long long r = f(D, &from, n, &state); r * 100 + OFFSET(from, s); }))
AGREE_WRITE(mbsnrtowcs, char *s = any_string(6); if (below(3) == 0 && *s) s[strlen(s) - 1] = (char)random_bits(); size_t n = below(8); size_t most = below(8); mbstate_t state = {0}, n * W,
            ({ const char *from = s; long long r = f(D, &from, most, n, &state); r * 100 + OFFSET(from, s); }))
AGREE_WRITE(wcsrtombs, wchar_t *s = A; if (below(3) == 0 && *s) s[wcslen(s) - 1] = any_wchar(); size_t n = below(10); mbstate_t state = {0}, n,
            ({ const wchar_t *from = s; long long r = f(d, &from, n, &state); r * 100 + OFFSET(from, s); }))
AGREE_WRITE(wcsnrtombs, wchar_t *s = A; if (below(3) == 0 && *s) s[wcslen(s) - 1] = any_wchar(); size_t n = below(10); size_t most = below(10); mbstate_t state = {0}, n,
            ({ const wchar_t *from = s; long long r = f(d, &from, most, n, &state); r * 100 + OFFSET(from, s); }))
/* Without a destination the characters are counted, and the source stays. */
#define NATIVE(name) ((__typeof__(&name))library(#name, (void *)&name))
TEST_N(counted, "mbsrtowcs mbsnrtowcs wcsrtombs wcsnrtombs without a destination", 2000)
{
    const char *s = any_string(6), *p = s, *q = s;
    const wchar_t *a = A, *b = a, *c = a;
    mbstate_t state = {0};
    size_t most = below(9);
    int ok = NATIVE(mbsrtowcs)(NULL, &p, 0, &state) == m_mbsrtowcs(NULL, &q, 0, &state) && p == q && NATIVE(wcsrtombs)(NULL, &b, 0, &state) == m_wcsrtombs(NULL, &c, 0, &state) && b == c;
    return ok && NATIVE(mbsnrtowcs)(NULL, &p, most, 0, &state) == m_mbsnrtowcs(NULL, &q, most, 0, &state) && p == q &&
           NATIVE(wcsnrtombs)(NULL, &b, most, 0, &state) == m_wcsnrtombs(NULL, &c, most, 0, &state) && b == c;
}
