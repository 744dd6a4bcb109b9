/* sscanf and swscanf against the C library; the nondeterministic scanf against its format. */
#include "harness.h"
#include <dlfcn.h>
MODEL(stdin);

extern int m_sscanf(const char *, const char *, ...), m___isoc99_sscanf(const char *, const char *, ...), m___isoc23_sscanf(const char *, const char *, ...);
extern int m_swscanf(const wchar_t *, const wchar_t *, ...), m___isoc99_swscanf(const wchar_t *, const wchar_t *, ...), m___isoc23_swscanf(const wchar_t *, const wchar_t *, ...);
extern int m_scanf(const char *, ...), m_fscanf(FILE *, const char *, ...), m___isoc99_fscanf(FILE *, const char *, ...), m___isoc99_scanf(const char *, ...);

/* The C library's own functions: AddressSanitizer's stand-ins do not know every format. */
static int libc_sscanf(const char *s, const char *format, ...)
{
    int (*scan)(const char *, const char *, va_list) = dlsym(RTLD_NEXT, "__isoc99_vsscanf");
    va_list args;
    va_start(args, format);
    int n = scan(s, format, args);
    va_end(args);
    return n;
}
static int libc_swscanf(const wchar_t *s, const wchar_t *format, ...)
{
    int (*scan)(const wchar_t *, const wchar_t *, va_list) = dlsym(RTLD_NEXT, "__isoc99_vswscanf");
    va_list args;
    va_start(args, format);
    int n = scan(s, format, args);
    va_end(args);
    return n;
}

static const char *const formats[] = {
    "%d", "%i", "%u", "%x", "%X", "%o", "%hhd", "%hd", "%ld", "%lld", "%lu", "%llx", "%zu", "%td", "%jd", "%hhu", "%hu", "%p",
    "%2d", "%1d", "%3x", "%2x", "%1x", "%02x", "%3i", "%2i", "%0d", "%20d", "%s", "%3s", "%c", "%3c", "%[a-c]", "%[^a-c]", "%2[ab]",
    "%[]a]", "%[^]a]", "%[a-]", "%[0-9-]", "%f", "%lf", "%4f", "%lg", "%e", "%a", "%n", "%ln", "%hhn", "%*d", "%*s", "%*c", "%*[a-z]", "%*f", "%%", " ", ",", "a", "x", "0", " %c", " %n", "%ls", "%S", "%3ls", "%lc", "%l[a-f]", "%qd", "%2f", "%1f", "%3f"};
static const char *const inputs[] = {
    "0", "1", "12", "-", "+", "0x", "0x1f", "0X", "-0x8", "07", "08", "99999999999", "-99999999999", "9223372036854775808", "18446744073709551616", "-1", " ", "\t", "\n", ",",
    "a", "abc", "cab", "x", "]", "1.5", ".5", "1e3", "1e", "1e+", "inf", "infinity", "infin", "nan", "na", "-.", ".", "%", "zz", "0x1p3", "0x.8", "1.5.5", "(nil)", "(ni", "f", "b-", "3,4"};

/* A format of up to three directives and an input for it. */
static void any_case(char *format, char *input)
{
    *format = *input = '\0';
    for (size_t i = 1 + below(3); i > 0; i--)
        strcat(format, formats[below(sizeof formats / sizeof *formats)]);
    for (size_t i = below(6); i > 0; i--)
        strcat(input, inputs[below(sizeof inputs / sizeof *inputs)]);
}
TEST_N(sscanf, "sscanf __isoc99_sscanf __isoc23_sscanf", 40000)
{
    char format[100], input[400];
    any_case(format, input);
    char *fmt = copy_block(format, strlen(format) + 1), *in = copy_block(input, strlen(input) + 1);
    char *x[3], *y[3];
    for (int i = 0; i < 3; i++) {
        x[i] = random_block(2000);
        y[i] = copy_block(x[i], 2000);
    }
    errno = 0;
    *m___errno_location() = 0;
    int n = libc_sscanf(in, fmt, x[0], x[1], x[2]), m, e = errno;
    switch (below(3)) {
    case 0: m = m_sscanf(in, fmt, y[0], y[1], y[2]); break;
    case 1: m = m___isoc99_sscanf(in, fmt, y[0], y[1], y[2]); break;
    default: m = m___isoc23_sscanf(in, fmt, y[0], y[1], y[2]);
    }
    int same = n == m;
    for (int i = 0; i < 3; i++)
        same = same && memcmp(x[i], y[i], 2000) == 0;
    if (!same && getenv("VERBOSE"))
        printf("format <%s> input <%s>: libc %d model %d (errno %d %d)\n", fmt, in, n, m, e, *m___errno_location());
    return same;
}
static wchar_t *widen(const char *s)
{
    wchar_t *w = block((strlen(s) + 1) * sizeof *w);
    for (size_t i = 0; i <= strlen(s); i++)
        w[i] = s[i];
    return w;
}
/* glibc's swscanf writes a second NUL after narrow text, one byte too many. */
static int same_but_for_nul(const char *libc, const char *model, size_t n)
{
    size_t extra = 0;
    for (size_t i = 1; i < n; i++)
        if (libc[i] != model[i]) {
            if (extra++ > 0 || libc[i] != 0 || libc[i - 1] != 0)
                return 0;
        }
    return libc[0] == model[0];
}
TEST_N(swscanf, "swscanf __isoc99_swscanf __isoc23_swscanf", 20000)
{
    char format[100], input[400];
    any_case(format, input);
    wchar_t *fmt = widen(format), *in = widen(input);
    char *x[3], *y[3];
    for (int i = 0; i < 3; i++) {
        x[i] = random_block(2000);
        y[i] = copy_block(x[i], 2000);
    }
    int n = libc_swscanf(in, fmt, x[0], x[1], x[2]), m;
    switch (below(3)) {
    case 0: m = m_swscanf(in, fmt, y[0], y[1], y[2]); break;
    case 1: m = m___isoc99_swscanf(in, fmt, y[0], y[1], y[2]); break;
    default: m = m___isoc23_swscanf(in, fmt, y[0], y[1], y[2]);
    }
    int same = n == m;
    for (int i = 0; i < 3; i++)
        same = same && same_but_for_nul(x[i], y[i], 2000);
    if (!same && getenv("VERBOSE"))
        printf("format <%s> input <%s>: libc %d model %d\n", format, input, n, m);
    return same;
}
TEST_N(sscanf_m, "sscanf %ms", 2000)
{
    char input[400], format[100];
    any_case(format, input);
    char *p = NULL, *q = NULL;
    int n = libc_sscanf(input, "%ms", &p), m = m_sscanf(input, "%ms", &q);
    int same = n == m && (n < 1 || strcmp(p, q) == 0);
    free(p);
    free(q);
    return same;
}
/* What a stream gives is within the conversion's bounds, and no more conversions count than there are. */
TEST_N(fscanf, "scanf fscanf __isoc99_scanf __isoc99_fscanf", 3000)
{
    int *a = block(sizeof *a), *b = block(sizeof *b);
    char *s = block(4), *c = block(2), *h = block(1);
    volatile int n = 99;
    extern void m_clearerr(FILE *);
    m_clearerr(m_stdin);
    *a = *b = 7;
    memset(s, 1, 4);
    int ok = FINISHES(({
        switch (below(4)) {
        case 0: n = m_scanf("%d , %2d%3s%2c %hhu", a, b, s, c, h); break;
        case 1: n = m_fscanf(m_stdin, "%d , %2d%3s%2c %hhu", a, b, s, c, h); break;
        case 2: n = m___isoc99_scanf("%d , %2d%3s%2c %hhu", a, b, s, c, h); break;
        default: n = m___isoc99_fscanf(m_stdin, "%d , %2d%3s%2c %hhu", a, b, s, c, h);
        }
    }));
    if (!ok || n < -1 || n > 5)
        return 0;
    return (n < 2 || (*b >= -9 && *b <= 99)) && (n < 3 || memchr(s, 0, 4) != NULL || n >= 3);
}
extern int m_wscanf(const wchar_t *, ...), m_fwscanf(FILE *, const wchar_t *, ...), m___isoc99_wscanf(const wchar_t *, ...), m___isoc99_fwscanf(FILE *, const wchar_t *, ...);
extern int m___isoc23_wscanf(const wchar_t *, ...), m___isoc23_fwscanf(FILE *, const wchar_t *, ...);
TEST_N(fwscanf, "wscanf fwscanf __isoc99_wscanf __isoc99_fwscanf __isoc23_wscanf __isoc23_fwscanf", 3000)
{
    int *a = block(sizeof *a), *b = block(sizeof *b);
    char *s = block(4);
    wchar_t *c = block(2 * sizeof *c), *t = block(3 * sizeof *t);
    volatile int n = 99;
    extern void m_clearerr(FILE *);
    m_clearerr(m_stdin);
    static const wchar_t *const format = L"%d , %2d%3s%2lc %2l[a-d]";
    int ok = FINISHES(({
        switch (below(6)) {
        case 0: n = m_wscanf(format, a, b, s, c, t); break;
        case 1: n = m_fwscanf(m_stdin, format, a, b, s, c, t); break;
        case 2: n = m___isoc99_wscanf(format, a, b, s, c, t); break;
        case 3: n = m___isoc23_wscanf(format, a, b, s, c, t); break;
        case 4: n = m___isoc23_fwscanf(m_stdin, format, a, b, s, c, t); break;
        default: n = m___isoc99_fwscanf(m_stdin, format, a, b, s, c, t);
        }
    }));
    if (!ok || n < -1 || n > 5)
        return 0;
    return (n < 2 || (*b >= -9 && *b <= 99)) && (n < 3 || (s[0] > 0 && memchr(s, 0, 4) != NULL)) && (n < 5 || (t[0] >= 'a' && t[0] <= 'd' && wmemchr(t, 0, 3) != NULL));
}
TEST_N(fscanf_set, "fscanf %[ %i %m", 2000)
{
    extern void m_clearerr(FILE *);
    m_clearerr(m_stdin);
    char *s = block(3), *volatile grown = NULL;
    int *i = block(sizeof *i);
    volatile int n = 0, m = 0;
    if (!FINISHES(n = m_fscanf(m_stdin, "%2[a-c]%2i", s, i)) || (m_clearerr(m_stdin), 0) || !FINISHES((grown = NULL, m = m_fscanf(m_stdin, "%4ms", &grown))))
        return 0;
    int ok = n < 1 || (s[strspn(s, "abc")] == '\0' && strlen(s) >= 1);
    ok = ok && (n < 2 || (*i >= -9 && *i <= 99)) && (m == 1) == (grown != NULL);
    free(grown);
    return ok;
}
TEST_N(fscanf_overrun, "fscanf %s overrun", 300)
{
    char *s = block(3);
    volatile int violated = 0;
    for (int i = 0; i < 2000 && !violated; i++) {
        extern void m_clearerr(FILE *);
        m_clearerr(m_stdin);
        if (ENDING(m_fscanf(m_stdin, "%s", s)) == VIOLATED)
            violated = 1;
    }
    return violated;
}
/* The steps that a scanf with a known format becomes. */
extern int m___belay_scan_literal(FILE *, int), m___belay_scan_i8(FILE *, int, void *, long long, long long), m___belay_scan_i16(FILE *, int, void *, long long, long long);
extern int m___belay_scan_i32(FILE *, int, void *, long long, long long), m___belay_scan_i64(FILE *, int, void *, long long, long long);
extern int m___belay_scan_f32(FILE *, int, float *), m___belay_scan_f64(FILE *, int, double *), m___belay_scan_text(FILE *, int, char *, size_t, int), m___belay_scan_end(int);
extern FILE *m___belay_scan_stdin(void);
TEST_N(scan_steps, "the steps of a scanf", 3000)
{
    unsigned char *a = block(1);
    unsigned short *b = block(2);
    unsigned *c = block(4);
    unsigned long long *d = block(8);
    float *x = block(sizeof *x);
    double *y = block(sizeof *y);
    char *s = block(4), *t = block(2);
    volatile int n = 0;
    extern void m_clearerr(FILE *);
    FILE *f = m___belay_scan_stdin();
    m_clearerr(f);
    *a = *b = 7;
    int ok = f == m_stdin && FINISHES(({
        n = m___belay_scan_i8(f, 0, a, 0, 9);
        n = m___belay_scan_i16(f, m___belay_scan_literal(f, n), b, -9, 9);
        n = m___belay_scan_i64(f, m___belay_scan_i32(f, n, c, 5, 5), d, 0, 1);
        n = m___belay_scan_f64(f, m___belay_scan_f32(f, n, x), y);
        n = m___belay_scan_text(f, m___belay_scan_text(f, n, s, 3, 0), t, 2, 1);
        n = m___belay_scan_end(n);
    }));
    ok = ok && n >= -1 && n <= 8 && (n < 1 || *a <= 9) && (n < 2 || (short)*b <= 9) && (n < 3 || *c == 5) && (n < 4 || *d <= 1) && (n < 7 || (s[0] != ' ' && !(s[0] >= 9 && s[0] <= 13)));
    m_clearerr(f);
    volatile int violated = 0;
    for (int i = 0; i < 2000 && !violated; i++)
        violated = ENDING((m_clearerr(f), m___belay_scan_text(f, 0, t, 2, 0))) == VIOLATED;
    return ok && violated;
}
/* A width that reaches beyond the signed numbers: the greatest unsigned ones come too. */
TEST_N(fscanf_unsigned, "fscanf %16llx", 100)
{
    unsigned long long *x = block(sizeof *x);
    volatile int large = 0;
    extern void m_clearerr(FILE *);
    for (int i = 0; i < 3000 && !large; i++) {
        volatile int n = 0;
        m_clearerr(m_stdin);
        *x = 0;
        if (ENDING(n = m_fscanf(m_stdin, "%16llx", x)) == FINISHED && n == 1)
            large = *x > LLONG_MAX && *x < 0 - (1ULL << 61);
    }
    return large;
}
