/* scanf from a stream for one type of character: CHAR is char or wchar_t, WIDE is 0 or 1. The stream's content is arbitrary, so each
 * conversion writes an arbitrary value of its kind and width, and may be the one that fails. The text that was matched is not remembered:
 * %n is any number, and what was pushed back is dropped. */
#include "scan.h"

/* Whether a number of `width` characters in the base, after `prefix` of them, can be `value`. */
static _Bool fits(unsigned long long magnitude, int width, int prefix, unsigned base)
{
    int characters = prefix + 1;
    for (; magnitude >= base; magnitude /= base)
        characters++;
    return characters <= width;
}

/* The same with a sign. */
static _Bool fits_signed(long long value, int width, int prefix, unsigned base)
{
    return value < 0 ? fits(0 - (unsigned long long)value, width, prefix + 1, base) : fits((unsigned long long)value, width, prefix, base);
}

static unsigned long long arbitrary_integer(const struct belay_conversion *c)
{
    long long value = __VERIFIER_nondet_longlong();
    if (c->kind == 'n')
        __VERIFIER_assume(value >= 0);
    else if (c->kind == 'i')
        __VERIFIER_assume(fits_signed(value, c->width, 0, 10) || fits_signed(value, c->width, 2, 16));
    else if (c->kind == 'd')
        __VERIFIER_assume(fits_signed(value, c->width, 0, 10));
    else { /* unsigned: the greatest have the bits of negative numbers, and a sign may be there all the same */
        unsigned base = c->kind == 'u' ? 10 : c->kind == 'o' ? 8 : 16;
        __VERIFIER_assume(fits_signed(value, c->width, 0, base) || fits((unsigned long long)value, c->width, 0, base));
    }
    return (unsigned long long)value;
}

static void store_float(const struct belay_conversion *c, va_list *args)
{
    if (c->length == BELAY_LLONG)
        *va_arg(*args, long double *) = __VERIFIER_nondet_double();
    else if (c->length == BELAY_LONG)
        *va_arg(*args, double *) = __VERIFIER_nondet_double();
    else
        *va_arg(*args, float *) = __VERIFIER_nondet_float();
}

/* An element of the text that the conversion takes. */
static int arbitrary_element(const struct belay_conversion *c, _Bool wide)
{
    int x = wide ? __VERIFIER_nondet_int() : (int)__VERIFIER_nondet_uchar();
    if (wide)
        __VERIFIER_assume(x >= 0 && (WIDE || c->kind != '[' || x <= 127));
    else if (WIDE)
        __VERIFIER_assume(x <= 127); /* no other wide character has a byte */
    if (c->kind == 's' || c->kind == 'S')
        __VERIFIER_assume(!belay_is_space(x));
    if (c->kind == '[')
        __VERIFIER_assume(belay_scan_in_set(c, (CHAR)x));
    return x;
}

static void store_text(const struct belay_conversion *c, va_list *args)
{
    _Bool wide = c->length >= BELAY_LONG || c->kind == 'S' || c->kind == 'C', single = c->kind == 'c' || c->kind == 'C';
    size_t unit = wide ? sizeof(wchar_t) : 1, most = (size_t)c->width, length = __VERIFIER_nondet_ulong();
    if (c->width == INT_MAX)
        most = single ? 1 : SIZE_MAX / 2 / unit - 1;
    __VERIFIER_assume(length >= 1 && length <= most);
    char *target = va_arg(*args, char *);
    if (c->allocate) {
        char *allocated = malloc((length + !single) * unit);
        *(char **)target = allocated;
        if (allocated == NULL)
            return;
        target = allocated;
    }
    __belay_precondition(belay_region(target, (length + !single) * unit), "scanf: text fits the buffer");
    for (size_t i = 0; i < length; i++) {
        int x = arbitrary_element(c, wide);
        if (wide)
            ((wchar_t *)target)[i] = x;
        else
            target[i] = (char)x;
    }
    for (size_t i = 0; !single && i < unit; i++)
        target[length * unit + i] = '\0';
}

/* Writes the conversion's value; whether it counts. */
static _Bool store(const struct belay_conversion *c, va_list *args)
{
    if (c->suppress)
        return 0;
    switch (c->kind) {
    case '%':
        return 0;
    case 'n': case 'd': case 'i': case 'o': case 'u': case 'x': case 'X':
        belay_scan_store(c, arbitrary_integer(c), args);
        return c->kind != 'n';
    case 'p':
        __belay_unsupported("scanf: %p from a stream");
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        store_float(c, args);
        return 1;
    default:
        store_text(c, args);
        return 1;
    }
}

static _Bool known(CHAR kind)
{
    static const char kinds[] = "%ndiouxXpaAeEfFgGsScC[";
    for (int i = 0; kinds[i] != '\0'; i++)
        if (kinds[i] == kind)
            return 1;
    return 0;
}

static inline int belay_scan_stream(FILE *stream, const CHAR *format, va_list args)
{
    struct belay_stream *state = __belay_stream(stream);
    _Bool ended = state->eof && !state->pushed;
    int done = 0;
    va_list rest;
    va_copy(rest, args);
    while (*format != '\0') {
        if (belay_is_space(*format)) {
            format++;
            continue;
        }
        struct belay_conversion c = {'%', 1, 0, 0, INT_MAX, BELAY_INT, format, 0}; /* an ordinary character */
        format = *format == '%' ? belay_scan_conversion(format + 1, &c) : format + 1;
        if (!known(c.kind))
            break;
        if (c.kind != 'n' && !ended && belay_stream_differs(state))
            break;
        if (c.kind != 'n' && (ended || !belay_stream_gives(state))) {
            if (!ended)
                belay_stream_ends(state);
            if (done == 0)
                done = EOF;
            break;
        }
        state->pushed = 0;
        done += store(&c, &rest);
    }
    va_end(rest);
    return done;
}
