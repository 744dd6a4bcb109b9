/* Output into memory and wide output; multibyte characters; the rest of string.h. */
#include "harness.h"
MODEL(stdout);

MODEL(vswprintf); MODEL(swprintf); MODEL(wprintf); MODEL(vwprintf); MODEL(fwprintf); MODEL(vfwprintf); MODEL(asprintf); MODEL(vasprintf);
MODEL(strsignal); MODEL(fopen);

/* A random conversion for an argument of the type that its letter wants. */
static wchar_t *any_format(wchar_t letter, const wchar_t *modifier)
{
    static const wchar_t *const flags[] = {L"", L"-", L"+", L" ", L"#", L"0", L"-+", L" 0"};
    wchar_t *format = block(40 * sizeof *format);
    wchar_t width[12] = L"", precision[12] = L"";
    if (below(2))
        swprintf(width, 12, L"%d", (int)below(9));
    if (below(3) == 0)
        swprintf(precision, 12, L".%d", (int)below(7));
    _Bool text = letter == L's' || letter == L'c';
    swprintf(format, 40, L"%%%%a%%%ls%ls%ls%ls%lcz", text ? below(2) ? L"-" : L"" : flags[below(8)], width, letter == L'c' ? L"" : precision, modifier, letter);
    return format;
}

static int same_wide(size_t n, const wchar_t *format, ...)
{
    wchar_t *a = random_block(n * sizeof *a), *b = copy_block(a, n * sizeof *a);
    va_list list, other;
    va_start(list, format);
    va_copy(other, list);
    int x = vswprintf(a, n, format, list), y = m_vswprintf(b, n, format, other);
    va_end(list);
    va_end(other);
    if (x != y)
        return 0;
    return x < 0 || wmemcmp(a, b, (size_t)x + 1) == 0;
}

TEST(vswprintf)
{
    static const wchar_t integers[] = L"diuoxX", floats[] = L"fFeEgG";
    size_t n = below(40);
    switch (below(8)) {
    case 0: return same_wide(n, any_format(integers[below(6)], L""), (int)any_number());
    case 1: return same_wide(n, any_format(integers[below(6)], L"l"), (long)any_number());
    case 2: return same_wide(n, any_format(integers[below(6)], L"ll"), (long long)any_number());
    case 3: return same_wide(n, any_format(integers[below(6)], L"hh"), (int)any_number());
    case 4: return same_wide(n, any_format(floats[below(6)], L""), (double)(int64_t)any_number() / 1024);
    case 5: return same_wide(n, any_format(L's', L"l"), any_wide(8));
    case 6: set_alphabet("abc"); return same_wide(n, any_format(L's', L""), any_string(8));
    default: return same_wide(n, any_format(L'c', below(2) ? L"l" : L""), (int)below(128));
    }
}
TEST_N(swprintf, "swprintf", 500)
{
    wchar_t *a = block(20 * sizeof *a);
    int stars = (int)below(9) - 4;
    return m_swprintf(a, 20, L"%*d|%.*ls", stars, 7, 2, L"abc") == swprintf(block(80), 20, L"%*d|%.*ls", stars, 7, 2, L"abc") &&
           m_swprintf(a, 0, L"a") == -1;
}
static int listed(int (*print)(const wchar_t *, va_list), const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = print(format, list);
    va_end(list);
    return n;
}
static int to_stream(const wchar_t *format, va_list list) { return m_vfwprintf(m_stdout, format, list); }
TEST_N(wprintf, "wprintf vwprintf fwprintf vfwprintf", 1000)
{
    wchar_t *s = any_wide(5);
    int n = 2 + (int)wcslen(s);
    volatile int r = -1;
    return m_wprintf(L"a%ls%%", s) == n && m_fwprintf(m_stdout, L"a%ls%c", s, 'b') == n && listed(m_vwprintf, L"a%ls%%", s) == n &&
           listed(to_stream, L"a%s%%", "bc") == 4 && FINISHES(r = m_wprintf(L"%5d", 3)) && r >= 0;
}
TEST_N(asprintf, "asprintf vasprintf", 2000)
{
    char *a = NULL, *b = NULL, *s = any_string(8);
    int x = any_number();
    int n = asprintf(&a, "%d %s", x, s), m = m_asprintf(&b, "%d %s", x, s);
    int same = n == m && strcmp(a, b) == 0;
    free(a);
    free(b);
    return same;
}
#define BYTES (set_alphabet(below(3) ? "abc" : "ab\x80"), any_string(8))
AGREE(mblen, char *s = BYTES; size_t n = 1 + below(strlen(s) + 1), f(s, n))
AGREE(mbtowc, char *s = BYTES; size_t n = 1 + below(strlen(s) + 1); wchar_t *to = block(sizeof *to); *to = 7, ({ int r = f(to, s, n); r * 1000 + *to; }))
AGREE(wctomb, char *s = block(1); *s = 1; wchar_t c = below(2) ? (wchar_t)below(300) : (wchar_t)any_number(), f(s, c) * 1000 + *s)
AGREE_WRITE(mbstowcs, char *s = BYTES; size_t n = strlen(s) + below(3), n * sizeof(wchar_t), f(d, s, n))
AGREE_WRITE(wcstombs, set_alphabet("abc"); wchar_t *s = any_wide(8); size_t n = wcslen(s) + below(3), n, f(d, s, n))
AGREE(strverscmp, set_alphabet(below(2) ? "012a" : "019."); char *a = any_string(7); char *b = below(3) ? any_string(7) : copy_block(a, strlen(a) + 1), SIGN(f(a, b)))
TEST_N(strsignal, "strsignal", 100) { return strlen(m_strsignal((int)any_number())) < 64 && m_strsignal(1) == m_strsignal(2); }
