/* Text to floating point, C17 7.22.1.3, correctly rounded (to nearest, ties to even): the number is a ratio of two natural
 * numbers of many words, and the quotient's bits come one by one by comparison and subtraction. More decimal digits than
 * FLOAT_DIGITS are replaced by a last digit 1, which lies between the same two halves. FRACTION is the number of
 * bits of the significand (24, 53), LEAST the exponent of the least normal number (-126, -1022), CHAR the type of a character. */
#include "belay.h"

enum { FLOAT_DIGITS = 800, FLOAT_WORDS = 160, FLOAT_LIMIT = 100000 };

struct belay_natural {
    int size;
    uint32_t words[FLOAT_WORDS];
};

static inline void belay_natural_scale(struct belay_natural *n, uint32_t factor, uint32_t carry)
{
    uint64_t sum = carry;
    for (int i = 0; i < n->size; i++) {
        sum += (uint64_t)n->words[i] * factor;
        n->words[i] = (uint32_t)sum;
        sum >>= 32;
    }
    if (sum != 0)
        n->words[n->size++] = (uint32_t)sum;
}

static inline int belay_natural_compare(const struct belay_natural *a, const struct belay_natural *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (int i = a->size; i > 0; i--)
        if (a->words[i - 1] != b->words[i - 1])
            return a->words[i - 1] < b->words[i - 1] ? -1 : 1;
    return 0;
}

/* a - b, where a >= b. */
static inline void belay_natural_subtract(struct belay_natural *a, const struct belay_natural *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->size; i++) {
        uint64_t take = (i < b->size ? b->words[i] : 0) + borrow;
        borrow = a->words[i] < take;
        a->words[i] = (uint32_t)(a->words[i] - take);
    }
    while (a->size > 0 && a->words[a->size - 1] == 0)
        a->size--;
}

static inline int belay_natural_bits(const struct belay_natural *n)
{
    int bits = 32 * (n->size - 1);
    for (uint32_t top = n->words[n->size - 1]; top != 0; top >>= 1)
        bits++;
    return bits;
}

static inline void belay_natural_shift(struct belay_natural *n, int bits)
{
    for (; bits >= 31; bits -= 31)
        belay_natural_scale(n, 1u << 31, 0);
    belay_natural_scale(n, 1u << bits, 0);
}

struct belay_rounded {
    uint64_t fraction; /* below 2^FRACTION */
    int exponent;      /* the value is fraction * 2^exponent */
    _Bool inexact;
};

/* a / b * 2^scale, both positive, rounded once to FRACTION bits, or fewer below LEAST. */
static inline struct belay_rounded belay_quotient(struct belay_natural *a, struct belay_natural *b, int scale)
{
    int shift = belay_natural_bits(a) - belay_natural_bits(b);
    belay_natural_shift(shift > 0 ? b : a, shift > 0 ? shift : -shift);
    if (belay_natural_compare(a, b) < 0) {
        belay_natural_shift(a, 1);
        shift--;
    }
    int exponent = shift + scale; /* a / b is in [1, 2), the value in [2^exponent, 2^(exponent + 1)) */
    int kept = exponent < LEAST ? FRACTION - (LEAST - exponent) : FRACTION;
    struct belay_rounded result = {0, exponent - kept + 1, 0};
    if (kept < 0) {
        result.exponent = LEAST - FRACTION + 1;
        result.inexact = 1;
        belay_rounds();
        return result;
    }
    for (int i = 0; i < kept; i++) {
        result.fraction *= 2;
        if (belay_natural_compare(a, b) >= 0) {
            belay_natural_subtract(a, b);
            result.fraction++;
        }
        if (a->size > 0)
            belay_natural_shift(a, 1);
    }
    int half = a->size == 0 ? -1 : belay_natural_compare(a, b);
    result.inexact = a->size > 0;
    if (result.inexact)
        belay_rounds();
    if (half > 0 || (half == 0 && result.fraction % 2 == 1))
        result.fraction++;
    return result;
}

static inline int belay_hex_digit(CHAR c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    int lower = belay_lower(c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/* The significant digits and the exponent of what is at *s, which moves past it; whether there is a number. The value is
 * digits * radix^places, times 2^power in hexadecimal. */
static inline _Bool belay_float_digits(const CHAR **s, int base, struct belay_natural *digits, long *places, long *power)
{
    const CHAR *p = *s;
    _Bool any = 0, point = 0, sticky = 0;
    int count = 0;
    for (;; p++) {
        int digit = belay_hex_digit(*p);
        if (*p == '.' && !point) {
            point = 1;
            continue;
        }
        if (digit >= base)
            break;
        any = 1;
        if (count < FLOAT_DIGITS && (count > 0 || digit != 0)) {
            if (digits->size == 0)
                digits->words[digits->size++] = (uint32_t)digit;
            else
                belay_natural_scale(digits, (uint32_t)base, (uint32_t)digit);
            count++;
            *places -= point;
        } else if (count > 0) {
            sticky |= digit != 0;
            *places += !point;
        } else {
            *places -= point;
        }
    }
    if (!any)
        return 0;
    if (sticky) {
        belay_natural_scale(digits, (uint32_t)base, 1);
        *places -= 1;
    }
    *s = p;
    if (belay_lower(*p) != (base == 16 ? 'p' : 'e'))
        return 1;
    p++;
    _Bool negative = *p == '-';
    if (*p == '+' || *p == '-')
        p++;
    if (*p < '0' || *p > '9')
        return 1;
    long exponent = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        exponent = exponent < FLOAT_LIMIT ? exponent * 10 + (*p - '0') : exponent;
    *s = p;
    *(base == 16 ? power : places) += negative ? -exponent : exponent;
    return 1;
}

/* fraction * 2^exponent as the bits of the type, with errno for what is too large or too small. */
static inline uint64_t belay_float_bits(struct belay_rounded r)
{
    if (r.fraction >> FRACTION != 0) {
        r.fraction >>= 1;
        r.exponent++;
    }
    if (r.exponent + FRACTION - 1 > -LEAST + 1) {
        errno = ERANGE;
        return (uint64_t)(2 * -LEAST + 3) << (FRACTION - 1);
    }
    if (r.fraction >> (FRACTION - 1) == 0) {
        if (r.inexact)
            errno = ERANGE;
        return r.fraction;
    }
    return ((uint64_t)(r.exponent + FRACTION - 1 - LEAST) << (FRACTION - 1)) + r.fraction;
}

/* The number made of digits, as bits without a sign. */
static inline uint64_t belay_float_value(struct belay_natural *digits, int base, long places, long power)
{
    if (digits->size == 0)
        return 0;
    struct belay_natural one = {1, {1}};
    struct belay_rounded huge = {1, FLOAT_LIMIT, 0}, tiny = {0, 0, 1};
    if (base == 16) {
        power += 4 * places;
        long top = power + belay_natural_bits(digits);
        if (top > 2000)
            return belay_float_bits(huge);
        if (top < -2000)
            return belay_float_bits(tiny);
        return belay_float_bits(belay_quotient(digits, &one, (int)power));
    }
    long top = places + belay_natural_bits(digits) / 4; /* at most the decimal exponent */
    if (top > 400)
        return belay_float_bits(huge);
    if (places + belay_natural_bits(digits) / 3 + 1 < -400)
        return belay_float_bits(tiny);
    for (long i = 0; i < places; i++)
        belay_natural_scale(digits, 10, 0);
    for (long i = 0; i < -places; i++)
        belay_natural_scale(&one, 10, 0);
    return belay_float_bits(belay_quotient(digits, &one, 0));
}

static inline int belay_float_word(const CHAR *s, const char *word)
{
    int n = 0;
    while (word[n] != '\0' && belay_lower(s[n]) == word[n])
        n++;
    return word[n] == '\0' ? n : 0;
}

/* The number at s as bits; the end in *end. */
static inline uint64_t belay_parse_float(const CHAR *s, CHAR **end)
{
    const CHAR *p = s;
    const uint64_t infinity = (uint64_t)(2 * -LEAST + 3) << (FRACTION - 1);
    while (belay_is_space(*p))
        p++;
    uint64_t sign = *p == '-', bits = 0;
    if (*p == '+' || *p == '-')
        p++;
    struct belay_natural digits = {0, {0}};
    long places = 0, power = 0;
    int word = belay_float_word(p, "infinity");
    if (word == 0)
        word = belay_float_word(p, "inf");
    if (word != 0) {
        p += word;
        bits = infinity;
    } else if (belay_float_word(p, "nan")) {
        p += 3;
        if (*p == '(')
            __belay_unsupported("strtod: nan with a payload");
        bits = infinity | (uint64_t)1 << (FRACTION - 2);
    } else if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') &&
               (belay_hex_digit(p[2]) < 16 || (p[2] == '.' && belay_hex_digit(p[3]) < 16))) {
        p += 2;
        belay_float_digits(&p, 16, &digits, &places, &power);
        bits = belay_float_value(&digits, 16, places, power);
    } else if (belay_float_digits(&p, 10, &digits, &places, &power)) {
        bits = belay_float_value(&digits, 10, places, power);
    } else {
        p = s;
        sign = 0;
    }
    if (end != NULL)
        *end = (CHAR *)p;
    return bits | sign << (FRACTION == 53 ? 63 : 31);
}
