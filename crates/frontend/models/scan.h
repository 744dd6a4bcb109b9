/* sscanf for one type of character: CHAR is char or wchar_t, WIDE is 0 or 1. The source is a string, so the parse is exact,
 * glibc 2.36's where C leaves a choice: "0x" without a digit is 0, a number out of range is clamped to long and then cut, and
 * "1e" is 1 for %f, the e consumed.
 * Not modelled, and said so: numbered arguments (%1$d), long double, characters outside ASCII where a conversion
 * goes from narrow to wide or back. */
#include "integer.h"

struct belay_scan {
    const CHAR *start, *at; /* the string, and the first element not consumed */
    int done;               /* conversions assigned */
};

enum belay_length { BELAY_CHAR, BELAY_SHORT, BELAY_INT, BELAY_LONG, BELAY_LLONG };
enum belay_outcome { BELAY_MATCHED, BELAY_MISMATCH, BELAY_ENDED };

/* One conversion of the format. */
struct belay_conversion {
    CHAR kind;
    _Bool suppress, allocate, long_double;
    int width; /* INT_MAX if none */
    enum belay_length length;
    const CHAR *set; /* for %[: what follows the bracket and the caret */
    _Bool negated;
};

static inline const CHAR *belay_scan_length(const CHAR *f, struct belay_conversion *c)
{
    c->length = BELAY_INT;
    if (*f == 'h') {
        c->length = f[1] == 'h' ? BELAY_CHAR : BELAY_SHORT;
        return f[1] == 'h' ? f + 2 : f + 1;
    }
    if (*f == 'l') {
        c->length = f[1] == 'l' ? BELAY_LLONG : BELAY_LONG;
        return f[1] == 'l' ? f + 2 : f + 1;
    }
    if (*f == 'L' || *f == 'q') {
        c->length = BELAY_LLONG;
        c->long_double = *f == 'L';
        return f + 1;
    }
    if (*f == 'j') {
        c->length = BELAY_LLONG;
        return f + 1;
    }
    if (*f == 'z' || *f == 't') {
        c->length = sizeof(size_t) == sizeof(int) ? BELAY_INT : BELAY_LONG;
        return f + 1;
    }
    return f;
}

/* What follows a percent sign; returns the place after the conversion. */
static inline const CHAR *belay_scan_conversion(const CHAR *f, struct belay_conversion *c)
{
    c->suppress = c->allocate = c->long_double = c->negated = 0;
    c->width = INT_MAX;
    c->set = f;
    while (*f == '*' || *f == '\'' || *f == 'I') {
        if (*f == '*')
            c->suppress = 1;
        f++;
    }
    int width = 0;
    while (*f >= '0' && *f <= '9') {
        width = width > (INT_MAX - 9) / 10 ? INT_MAX : width * 10 + (int)(*f - '0');
        f++;
    }
    if (*f == '$')
        __belay_unsupported("scanf: numbered arguments");
    if (width > 0)
        c->width = width;
    if (*f == 'm') {
        c->allocate = 1;
        f++;
    }
    f = belay_scan_length(f, c);
    c->kind = *f;
    if (*f == '\0')
        return f;
    f++;
    if (c->kind != '[')
        return f;
    if (*f == '^') {
        c->negated = 1;
        f++;
    }
    c->set = f;
    if (*f == ']')
        f++;
    while (*f != '\0' && *f != ']')
        f++;
    return *f == '\0' ? f : f + 1;
}

static inline _Bool belay_scan_in_set(const struct belay_conversion *c, CHAR x)
{
    const CHAR *p = c->set;
    _Bool found = 0;
    do {
        if (p[0] != '\0' && p[1] == '-' && p[2] != '\0' && p[2] != ']') {
            if (WIDE ? p[0] <= x && x <= p[2] : (unsigned char)p[0] <= (unsigned char)x && (unsigned char)x <= (unsigned char)p[2])
                found = 1;
            p += 2;
        }
        if (*p == x)
            found = 1;
        p++;
    } while (*p != ']' && *p != '\0');
    return found != c->negated;
}

static inline void belay_scan_store(const struct belay_conversion *c, unsigned long long value, va_list *args)
{
    switch (c->length) {
    case BELAY_CHAR:
        *va_arg(*args, unsigned char *) = (unsigned char)value;
        break;
    case BELAY_SHORT:
        *va_arg(*args, unsigned short *) = (unsigned short)value;
        break;
    case BELAY_INT:
        *va_arg(*args, unsigned int *) = (unsigned int)value;
        break;
    case BELAY_LONG:
        *va_arg(*args, unsigned long *) = (unsigned long)value;
        break;
    case BELAY_LLONG:
        *va_arg(*args, unsigned long long *) = value;
        break;
    }
}

/* The value of a number of magnitude `n`, as strtol, strtoul, strtoll or strtoull give it. */
static inline unsigned long long belay_scan_value(const struct belay_conversion *c, unsigned long long n, _Bool negative, _Bool overflow)
{
    _Bool is_signed = c->kind == 'd' || c->kind == 'i', wide = c->length == BELAY_LLONG;
    unsigned long long most = wide ? ULLONG_MAX : ULONG_MAX;
    if (is_signed)
        most = (wide ? (unsigned long long)LLONG_MAX : (unsigned long long)LONG_MAX) + negative;
    if (overflow || n > most) {
        errno = ERANGE;
        return is_signed && negative ? 0 - most : most;
    }
    return negative ? 0 - n : n;
}

static inline enum belay_outcome belay_scan_integer(struct belay_scan *s, const struct belay_conversion *c, va_list *args)
{
    int width = c->width, base = c->kind == 'd' || c->kind == 'u' ? 10 : c->kind == 'o' ? 8 : c->kind == 'i' ? 0 : 16;
    const CHAR *p = s->at;
    _Bool negative = 0, digits = 0, overflow = 0;
    unsigned long long n = 0;
    if (*p == '+' || *p == '-') {
        negative = *p++ == '-';
        width--;
    }
    if (width > 0 && *p == '0') {
        p++;
        width--;
        digits = 1;
        if (width > 0 && (*p == 'x' || *p == 'X') && (base == 0 || base == 16)) {
            base = 16;
            p++;
            width--;
        } else if (base == 0 && !(width > 0 && (*p == 'x' || *p == 'X'))) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (; width > 0 && belay_digit(*p) < base; width--, p++) {
        unsigned digit = (unsigned)belay_digit(*p), radix = (unsigned)base;
        digits = 1;
        if (n > (ULLONG_MAX - digit) / radix)
            overflow = 1;
        else
            n = n * radix + digit;
    }
    if (!digits && c->kind == 'p' && p == s->at && width >= 5 && p[0] == '(' && (p[1] == 'n' || p[1] == 'N') &&
        (p[2] == 'i' || p[2] == 'I') && (p[3] == 'l' || p[3] == 'L') && p[4] == ')') {
        digits = 1;
        p += 5;
    }
    s->at = p;
    if (!digits)
        return BELAY_MISMATCH;
    if (!c->suppress) {
        belay_scan_store(c, belay_scan_value(c, n, negative, overflow), args);
        s->done++;
    }
    return BELAY_MATCHED;
}

/* How many elements at the source the text conversion takes. */
static inline size_t belay_scan_extent(const struct belay_scan *s, const struct belay_conversion *c)
{
    size_t n = 0, width = (size_t)c->width;
    _Bool character = c->kind == 'c' || c->kind == 'C';
    if (character && c->width == INT_MAX)
        width = 1;
    while (n < width && s->at[n] != '\0') {
        if (c->kind == '[' ? !belay_scan_in_set(c, s->at[n]) : !character && belay_is_space(s->at[n]))
            break;
        n++;
    }
    return n;
}

static inline enum belay_outcome belay_scan_text(struct belay_scan *s, const struct belay_conversion *c, va_list *args)
{
    size_t n = belay_scan_extent(s, c);
    if (n == 0)
        return BELAY_MISMATCH;
    const CHAR *from = s->at;
    s->at += n;
    if (c->suppress)
        return BELAY_MATCHED;
    _Bool wide = c->length >= BELAY_LONG || c->kind == 'C' || c->kind == 'S', terminated = c->kind != 'c' && c->kind != 'C';
    void *target;
    if (c->allocate) {
        void **block = va_arg(*args, void **);
        target = malloc((n + terminated) * (wide ? sizeof(wchar_t) : 1));
        *block = target;
        if (target == NULL) {
            s->done = 0;
            return BELAY_ENDED;
        }
    } else {
        target = va_arg(*args, void *);
    }
    for (size_t i = 0; i < n; i++) {
        if (wide != WIDE && (from[i] < 0 || from[i] > 127))
            __belay_unsupported("scanf: a character outside ASCII changes its width");
        if (wide)
            ((wchar_t *)target)[i] = from[i];
        else
            ((char *)target)[i] = (char)from[i];
    }
    if (terminated && wide)
        ((wchar_t *)target)[n] = 0;
    else if (terminated)
        ((char *)target)[n] = 0;
    s->done++;
    return BELAY_MATCHED;
}

/* Matches `word` without regard to case at p; how much of it is there. */
static inline int belay_scan_word(const CHAR *p, int width, const char *word)
{
    int n = 0;
    while (n < width && word[n] != '\0' && belay_lower(p[n]) == word[n])
        n++;
    return n;
}

/* The floating number at p: how much is consumed in *taken, whether or not it is a number. */
static inline enum belay_outcome belay_scan_number_extent(const CHAR *p, int width, int *taken)
{
    int i = 0;
    *taken = 0;
    if (i < width && (p[i] == '+' || p[i] == '-'))
        i++;
    if (i < width && (p[i] == 'n' || p[i] == 'N')) {
        *taken = i + belay_scan_word(p + i, width - i, "nan");
        return *taken == i + 3 ? BELAY_MATCHED : BELAY_MISMATCH;
    }
    if (i < width && (p[i] == 'i' || p[i] == 'I')) {
        int n = belay_scan_word(p + i, width - i, "infinity");
        *taken = i + n;
        return n == 3 || n == 8 ? BELAY_MATCHED : BELAY_MISMATCH;
    }
    _Bool hex = p[i] == '0' && i + 2 < width && (p[i + 1] == 'x' || p[i + 1] == 'X'), digits = 0, point = 0;
    if (hex)
        i += 2;
    int start = i;
    while (i < width && (belay_digit(p[i]) < (hex ? 16 : 10) || (p[i] == '.' && !point))) {
        if (p[i] == '.')
            point = 1;
        else
            digits = 1;
        i++;
    }
    if (digits && i < width && belay_lower(p[i]) == (hex ? 'p' : 'e')) {
        i++;
        if (i < width && (p[i] == '+' || p[i] == '-'))
            i++;
        while (i < width && belay_digit(p[i]) < 10)
            i++;
    }
    *taken = i;
    return digits || (hex && i > start) ? BELAY_MATCHED : BELAY_MISMATCH;
}

static inline enum belay_outcome belay_scan_float(struct belay_scan *s, const struct belay_conversion *c, va_list *args)
{
    const CHAR *p = s->at;
    int taken;
    enum belay_outcome outcome = belay_scan_number_extent(p, c->width, &taken);
    s->at = p + taken;
    if (outcome != BELAY_MATCHED)
        return outcome;
    if (c->suppress)
        return BELAY_MATCHED;
    if (c->long_double)
        __belay_unsupported("scanf: long double");
    char *text = malloc((size_t)taken + 1);
    if (text == NULL)
        __belay_unsupported("scanf: no memory");
    for (int i = 0; i < taken; i++)
        text[i] = (char)p[i];
    text[taken] = '\0';
    if (c->length == BELAY_LONG)
        *va_arg(*args, double *) = strtod(text, NULL);
    else
        *va_arg(*args, float *) = strtof(text, NULL);
    free(text);
    s->done++;
    return BELAY_MATCHED;
}

static inline enum belay_outcome belay_scan_one(struct belay_scan *s, struct belay_conversion *c, va_list *args)
{
    switch (c->kind) {
    case 'n':
        if (!c->suppress)
            belay_scan_store(c, (unsigned long long)(s->at - s->start), args);
        return BELAY_MATCHED;
    case '%':
        if (*s->at == '\0')
            return BELAY_ENDED;
        if (*s->at != '%')
            return BELAY_MISMATCH;
        s->at++;
        return BELAY_MATCHED;
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'p':
        if (c->kind == 'p')
            c->length = sizeof(void *) == sizeof(int) ? BELAY_INT : BELAY_LONG;
        return *s->at == '\0' ? BELAY_ENDED : belay_scan_integer(s, c, args);
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        return *s->at == '\0' ? BELAY_ENDED : belay_scan_float(s, c, args);
    case 's': case 'S': case 'c': case 'C': case '[':
        return *s->at == '\0' ? BELAY_ENDED : belay_scan_text(s, c, args);
    default:
        return BELAY_MISMATCH;
    }
}

static inline void belay_scan_space(struct belay_scan *s)
{
    while (belay_is_space(*s->at))
        s->at++;
}

/* The next directive of the format: white space, an ordinary element or a conversion. */
static inline enum belay_outcome belay_scan_directive(struct belay_scan *s, const CHAR **format, va_list *args)
{
    const CHAR *f = *format;
    if (belay_is_space(*f)) {
        belay_scan_space(s);
        *format = f + 1;
        return BELAY_MATCHED;
    }
    if (*f != '%') {
        *format = f + 1;
        if (*s->at == '\0')
            return BELAY_ENDED;
        if (*s->at != *f)
            return BELAY_MISMATCH;
        s->at++;
        return BELAY_MATCHED;
    }
    struct belay_conversion c;
    *format = belay_scan_conversion(f + 1, &c);
    if (c.kind != '[' && c.kind != 'c' && c.kind != 'C' && c.kind != 'n')
        belay_scan_space(s);
    return belay_scan_one(s, &c, args);
}

static inline int belay_scan(const CHAR *string, const CHAR *format, va_list *args)
{
    struct belay_scan s = {string, string, 0};
    while (*format != '\0') {
        enum belay_outcome outcome = belay_scan_directive(&s, &format, args);
        if (outcome == BELAY_MISMATCH)
            return s.done;
        if (outcome == BELAY_ENDED)
            return s.done == 0 ? EOF : s.done;
    }
    return s.done;
}
