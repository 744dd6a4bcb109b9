/* stdlib.h, inttypes.h. */
#include "harness.h"
#include <inttypes.h>

/* Text that is often a number, sometimes almost one. */
static char *number_text(void)
{
    static const char *const pieces[] = {"", " ", "\t\n", "-", "+", "0", "0x", "0X", "1", "7", "9", "12", "ff", "Zz", "8", "x", "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "99999999999999999999999", "0b1", "a"};
    char text[200] = "";
    if (below(2))
        strcat(text, pieces[below(5)]);
    if (below(3) == 0)
        strcat(text, pieces[below(8)]);
    for (size_t i = below(4); i > 0; i--)
        strcat(text, pieces[3 + below(sizeof pieces / sizeof *pieces - 3)]);
    return copy_block(text, strlen(text) + 1);
}
static wchar_t *wide_number(void)
{
    char *s = number_text();
    wchar_t *w = block((strlen(s) + 1) * sizeof *w);
    for (size_t i = 0; i <= strlen(s); i++)
        w[i] = s[i];
    return w;
}
static int any_base(void)
{
    static const int usual[] = {0, 2, 8, 10, 16, 36};
    return below(3) ? usual[below(6)] : (int)below(40) - 1;
}
/* The value, and where it ended, as one number; `untouched` if no end was stored. */
#define STRTO(name, text, type)                                                                  \
    AGREE(name, type *s = text; int base = any_base(); type *end; int want = below(4) != 0,       \
          (end = (type *)&end, f(s, want ? &end : NULL, base) * 1009ULL + (end == (type *)&end ? 1000 : (unsigned long long)(end - s))))
STRTO(strtol, number_text(), char)
STRTO(strtoul, number_text(), char)
STRTO(strtoll, number_text(), char)
STRTO(strtoull, number_text(), char)
STRTO(strtoimax, number_text(), char)
STRTO(strtoumax, number_text(), char)
STRTO(wcstol, wide_number(), wchar_t)
STRTO(wcstoul, wide_number(), wchar_t)
STRTO(wcstoll, wide_number(), wchar_t)
STRTO(wcstoull, wide_number(), wchar_t)
AGREE(atoi, char *s = number_text(), f(s))
AGREE(atol, char *s = number_text(), f(s))
AGREE(atoll, char *s = number_text(), f(s))

static char *float_text(void)
{
    char text[1400] = "";
    static const char *const words[] = {"inf", "INFINITY", "nan", "infi", "na", "0x", "0x1.8p3", "0x.p1", "0x1p", "0x1.fffffffffffff8p0", "0x1.fffffep127", "0x1.ffffffp127", "0x1p-1075", "0x1.8p-1074", "0x1p-1074", "1e", "1e+", ".", "-.", "e5", "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308", "1.7976931348623159e308", "3.4028235e38", "3.4028236e38", "1.4e-45", "7e-46", "9007199254740993", "9007199254740992.5", "1e400", "1e-400", "1e99999999999", "1e-99999999999", "0e999999", "16777217", "16777219"};
    if (below(3) == 0)
        strcat(text, " \t" + below(3));
    if (below(3) == 0)
        strcat(text, below(2) ? "-" : "+");
    if (below(4) == 0) {
        strcat(text, words[below(sizeof words / sizeof *words)]);
    } else if (below(3) == 0) {
        union { uint64_t bits; double value; } u = {random_bits()};
        if (u.value == u.value && u.value - u.value == 0)
            sprintf(text + strlen(text), "%.*g", (int)below(25), u.value);
    } else {
        for (size_t i = below(below(20) ? 25 : 900); i > 0; i--)
            sprintf(text + strlen(text), "%d", (int)below(10));
        if (below(2)) {
            strcat(text, ".");
            for (size_t i = below(20); i > 0; i--)
                sprintf(text + strlen(text), "%d", (int)below(10));
        }
        if (below(2))
            sprintf(text + strlen(text), "e%d", (int)below(680) - 340);
    }
    if (below(5) == 0)
        strcat(text, "x");
    return copy_block(text, strlen(text) + 1);
}
static uint64_t double_bits(double x) { union { double x; uint64_t b; } u = {x}; return u.b; }
static uint32_t float_bits(float x) { union { float x; uint32_t b; } u = {x}; return u.b; }
AGREE(strtod, char *s = float_text(); char *end, ({ uint64_t v = double_bits(f(s, &end)); v * 1009 + (uint64_t)(end - s); }))
AGREE(strtof, char *s = float_text(); char *end, ({ uint64_t v = float_bits(f(s, &end)); v * 1009 + (uint64_t)(end - s); }))
AGREE(atof, char *s = float_text(), double_bits(f(s)))
static wchar_t *wide_float_text(void)
{
    char *s = float_text();
    wchar_t *w = block((strlen(s) + 1) * sizeof *w);
    for (size_t i = 0; i <= strlen(s); i++)
        w[i] = s[i];
    if (*w && below(8) == 0)
        w[below(wcslen(w))] = 0x130 + (wchar_t)below(99);
    return w;
}
AGREE(wcstod, wchar_t *s = wide_float_text(); wchar_t *end, ({ uint64_t v = double_bits(f(s, &end)); v * 1009 + (uint64_t)(end - s); }))
AGREE(wcstof, wchar_t *s = wide_float_text(); wchar_t *end, ({ uint64_t v = float_bits(f(s, &end)); v * 1009 + (uint64_t)(end - s); }))

#define NOT_LEAST(type, n) ((type)(n) == (type)((type)1 << (8 * sizeof(type) - 1)) ? 7 : (type)(n))
AGREE(abs, int n = (int)any_number(); if (n == INT_MIN) n++, f(n))
AGREE(labs, long n = (long)any_number(); if (n == LONG_MIN) n++, f(n))
AGREE(llabs, long long n = (long long)any_number(); if (n == LLONG_MIN) n++, f(n))
AGREE(imaxabs, intmax_t n = (intmax_t)any_number(); if (n == INTMAX_MIN) n++, f(n))
#define DIV(name, type, least) \
    AGREE(name, type a = (type)any_number(); type b = (type)any_number(); if (b == 0 || (a == least && b == -1)) b = 3, ({ __typeof__(f(a, b)) r = f(a, b); r.quot * 31ULL + r.rem; }))
DIV(div, int, INT_MIN)
DIV(ldiv, long, LONG_MIN)
DIV(lldiv, long long, LLONG_MIN)
DIV(imaxdiv, intmax_t, INTMAX_MIN)

static size_t width;
static int by_first(const void *a, const void *b) { return *(const signed char *)a - *(const signed char *)b; }
static int by_first_r(const void *a, const void *b, void *sign) { return *(int *)sign * by_first(a, b); }
static void *few_values(size_t n)
{
    unsigned char *p = random_block(n);
    for (size_t i = 0; i < n; i += width)
        p[i] %= 5;
    return p;
}
#undef BUFFER
#define BUFFER few_values
AGREE_WRITE(qsort, width = 1 + below(9); size_t n = below(14), n * width, (f(d, n, width, by_first), 0))
AGREE_WRITE(qsort_r, width = 1 + below(9); size_t n = below(14); int sign = below(2) ? 1 : -1, n * width, (f(d, n, width, by_first_r, &sign), 0))
AGREE(bsearch, width = 1 + below(5); size_t n = below(14); char *a = few_values(n * width); qsort(a, n, width, by_first); signed char key = (signed char)below(7) - 1, f(&key, a, n, width, by_first))

/* The models for comparisons that change nothing, and the one that opens what comparisons return. */
extern typeof(qsort) m___belay_qsort;
extern typeof(qsort_r) m___belay_qsort_r;
extern typeof(bsearch) m___belay_bsearch;
extern int m___belay_of_sign(int order);
TEST_N(pure_sorts, "__belay_qsort __belay_qsort_r __belay_bsearch __belay_of_sign", 4000)
{
    width = 1 + below(9);
    size_t n = below(14);
    int sign = below(2) ? 1 : -1;
    char *a = few_values(n * width), *b = copy_block(a, n * width), *c = copy_block(a, n * width), *d = copy_block(a, n * width);
    qsort_r(c, n, width, by_first_r, &sign);
    int ok = FINISHES(m___belay_qsort_r(d, n, width, by_first_r, &sign)) && memcmp(c, d, n * width) == 0;
    qsort(a, n, width, by_first);
    ok = ok && FINISHES(m___belay_qsort(b, n, width, by_first)) && memcmp(a, b, n * width) == 0;
    signed char key = (signed char)below(7) - 1;
    void *volatile found = NULL;
    ok = ok && FINISHES(found = m___belay_bsearch(&key, a, n, width, by_first)) && found == bsearch(&key, a, n, width, by_first);
    int order = (int)any_number();
    volatile int opened = 0;
    return ok && FINISHES(opened = m___belay_of_sign(order)) && SIGN(opened) == SIGN(order);
}

#define IN_RANGE(name, low, high)                     \
    MODEL(name);                                      \
    TEST(name)                                        \
    {                                                 \
        volatile long long n = 0;                     \
        return FINISHES(n = m_##name()) && n >= (low) && n <= (high); \
    }
IN_RANGE(rand, 0, RAND_MAX)
IN_RANGE(random, 0, RAND_MAX)
IN_RANGE(lrand48, 0, RAND_MAX)
IN_RANGE(mrand48, INT_MIN, INT_MAX)
MODEL(drand48); MODEL(rand_r); MODEL(srand); MODEL(srandom); MODEL(srand48);
TEST(drand48)
{
    volatile double x = -1;
    return FINISHES(x = m_drand48()) && x >= 0 && x < 1;
}
TEST(rand_r)
{
    unsigned *seed = block(sizeof *seed);
    volatile int n = -1;
    m_srand(1);
    m_srandom(1);
    m_srand48(1);
    return FINISHES(n = m_rand_r(seed)) && n >= 0;
}
MODEL(getenv); MODEL(secure_getenv); MODEL(system);
TEST(getenv)
{
    static const char *const names[] = {"A", "B", "C", "D", "E", "F"};
    for (int i = 0; i < 4; i++)
        if (!FINISHES(m_getenv(names[i])))
            return 0;
    const char *name = names[below(6)];
    char *volatile s = NULL, *volatile t = NULL;
    if (!FINISHES((s = m_getenv(name), t = m_getenv(name))))
        return 0;
    return (name[0] > 'D' || s == t) && (s == NULL || strlen(s) < 4096) && FINISHES(m_secure_getenv(name));
}
void m___belay_errno_allocated(const void *, size_t);
void m___belay_errno_after(void);
void m___belay_errno_read(void);
int *m___belay_errno_to_write(void);
extern _Bool m___belay_errno_open;
extern const int m___belay_errno_lazily;
TEST_N(errno_location, "errno", 4000)
{
    int known = (int)below(100);
    size_t size = below(3);
    void *block = below(2) ? &known : NULL;
    *m___errno_location() = known;
    int ok = FINISHES(m___belay_errno_after()) && *m___errno_location() == known;
    m___belay_errno_open = below(2);
    ok = ok && !m___belay_errno_lazily && FINISHES(m___belay_errno_read()) && !m___belay_errno_open && *m___errno_location() == known;
    m___belay_errno_open = 1;
    ok = ok && m___belay_errno_to_write() == m___errno_location() && !m___belay_errno_open;
    ok = ok && FINISHES(m___belay_errno_allocated(block, size));
    return ok && *m___errno_location() == (block == NULL && size != 0 ? ENOMEM : known);
}
TEST(system) { return FINISHES(m_system(below(2) ? NULL : any_string(5))); }
void *aligned_alloc(size_t, size_t);
extern void *m_aligned_alloc(size_t, size_t), *m_memalign(size_t, size_t), *m_valloc(size_t);
MODEL(posix_memalign); MODEL(reallocarray);
static int writable(void *p, size_t n)
{
    if (p != NULL)
        memset(p, 1, n);
    free(p);
    return 1;
}
TEST_N(aligned_alloc, "aligned_alloc memalign valloc", 1000)
{
    size_t n = below(100);
    return writable(m_aligned_alloc(64, n), n) && writable(m_memalign(below(70), n), n) && writable(m_valloc(n), n);
}
TEST_N(posix_memalign, "posix_memalign", 1000)
{
    void *p = NULL, *q = NULL;
    size_t alignment = below(40), n = below(100);
    int x = posix_memalign(&p, alignment, n), y = m_posix_memalign(&q, alignment, n);
    return x == y && writable(p, n) && writable(q, n);
}
TEST_N(reallocarray, "reallocarray", 1000)
{
    size_t n = below(3) ? 1 + below(9) : SIZE_MAX / (1 + below(4)), m = 1 + below(9);
    void *p = m_reallocarray(NULL, n, m);
    if (n > SIZE_MAX / m)
        return p == NULL && *m___errno_location() == ENOMEM;
    return n > 9 || writable(p, n * m);
}
MODEL(erand48); MODEL(nrand48); MODEL(jrand48); MODEL(mkstemp);
TEST_N(erand48, "erand48 nrand48 jrand48", 500)
{
    unsigned short *state = block(3 * sizeof *state);
    volatile double x = -1;
    volatile long n = -1, m = 0;
    return FINISHES(x = m_erand48(state)) && x >= 0 && x < 1 && FINISHES(n = m_nrand48(state)) && n >= 0 && n <= 0x7fffffff && FINISHES(m = m_jrand48(state)) &&
           m >= -0x7fffffff - 1 && m <= 0x7fffffff;
}
TEST_N(mkstemp, "mkstemp", 500)
{
    char *name = copy_block("aXXXXXX", 8), *bad = copy_block("XXXXX", 6);
    volatile int fd = -2, none = 0;
    return FINISHES(fd = m_mkstemp(name)) && fd >= -1 && name[0] == 'a' && strlen(name) == 7 && FINISHES(none = m_mkstemp(bad)) && none == -1 && strcmp(bad, "XXXXX") == 0;
}
extern int m_atexit(void (*)(void));
extern void m___belay_run_handlers(void);
static char order[8];
static void note_a(void) { strcat(order, "a"); }
static void note_b(void) { strcat(order, "b"); }
static void note_c(void) { strcat(order, "c"); m_atexit(note_a); }
TEST_N(atexit, "atexit", 10)
{
    order[0] = 0;
    m_atexit(note_a);
    m_atexit(note_c);
    m_atexit(note_b);
    m___belay_run_handlers();
    return strcmp(order, "bcaa") == 0;
}
