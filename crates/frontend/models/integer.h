/* Text to integer, C17 7.22.1.4 and 7.29.4.1.2, for one type of character: CHAR is char or wchar_t. */
#include "belay.h"

struct belay_integer {
    const CHAR *end;              /* after the last digit, or the start if there was none */
    unsigned long long magnitude; /* ULLONG_MAX if too large */
    _Bool negative, overflow, invalid;
};

/* The digit's value, 99 if it is none. */
static inline int belay_digit(CHAR c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* An optional run of white space and sign, then the longest run of digits. An invalid base stores no end (as glibc). */
static inline struct belay_integer belay_parse_integer(const CHAR *s, int base)
{
    struct belay_integer result = {s, 0, 0, 0, 0};
    if (base < 0 || base == 1 || base > 36) {
        result.invalid = 1;
        return result;
    }
    const CHAR *p = s;
    while (belay_is_space(*p))
        p++;
    if (*p == '+' || *p == '-')
        result.negative = *p++ == '-';
    if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && belay_digit(p[2]) < 16) {
        base = 16;
        p += 2;
    } else if (base == 0) {
        base = *p == '0' ? 8 : 10;
    }
    for (; belay_digit(*p) < base; p++) {
        unsigned digit = (unsigned)belay_digit(*p), radix = (unsigned)base;
        if (result.magnitude > (ULLONG_MAX - digit) / radix)
            result.overflow = 1;
        else
            result.magnitude = result.magnitude * radix + digit;
        result.end = p + 1;
    }
    return result;
}

/* Stores the end, sets errno, and gives the value in [-max - 1, max]. */
static inline long long belay_signed(const CHAR *s, CHAR **end, int base, long long max)
{
    struct belay_integer n = belay_parse_integer(s, base);
    if (n.invalid) {
        errno = EINVAL;
        return 0;
    }
    if (end != NULL)
        *end = (CHAR *)n.end;
    if (n.overflow || n.magnitude > (unsigned long long)max) {
        /* There is one number more below 0 than above. */
        if (n.overflow || !n.negative || n.magnitude - 1 > (unsigned long long)max)
            errno = ERANGE;
        return n.negative ? -max - 1 : max;
    }
    long long value = (long long)n.magnitude;
    return n.negative ? -value : value;
}

/* The same for [0, max]; a sign negates in the unsigned type. */
static inline unsigned long long belay_unsigned(const CHAR *s, CHAR **end, int base, unsigned long long max)
{
    struct belay_integer n = belay_parse_integer(s, base);
    if (n.invalid) {
        errno = EINVAL;
        return 0;
    }
    if (end != NULL)
        *end = (CHAR *)n.end;
    if (n.overflow || n.magnitude > max) {
        errno = ERANGE;
        return max;
    }
    return (n.negative ? 0 - n.magnitude : n.magnitude) & max;
}
