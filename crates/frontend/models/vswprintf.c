/* C17 7.29.2.7: the text and a NUL into s, and the number of characters; -1 if they are n or more, with what fits and a NUL in s as glibc
 * leaves it. s has room for what is written, the format and every string argument are terminated. A number is printed by snprintf. */
#include "belay.h"

struct target {
    wchar_t *at;
    size_t room;
    _Bool full;
    const wchar_t *start;
    size_t size;
};

/* Text that is read while it is overwritten (C17 7.29.2.3p2): not followed, even where it would not come so far. */
static void read_apart(const struct target *out, const void *text, size_t bytes)
{
    if (!belay_disjoint(out->start, out->size, text, bytes))
        __belay_unsupported("wide output: an argument that is part of the target");
}

static void put(struct target *out, wchar_t c)
{
    if (out->room > 1) {
        *out->at++ = c;
        out->room--;
    } else {
        out->full = 1;
    }
}

static void pad(struct target *out, int count)
{
    while (count-- > 0)
        put(out, L' ');
}

/* One conversion: what stands between the % and its letter. */
struct conversion {
    char text[24];
    int length;
    _Bool left;
    int width, precision;
    wchar_t modifier;
};

static void keep(struct conversion *it, wchar_t c)
{
    if (it->length >= (int)sizeof it->text - 3)
        __belay_unsupported("wide output: a long conversion");
    it->text[it->length++] = (char)c;
}

static int number(const wchar_t **format, va_list *list)
{
    int value = 0;
    if (**format == L'*') {
        (*format)++;
        return va_arg(*list, int);
    }
    for (; **format >= L'0' && **format <= L'9'; (*format)++)
        value = value * 10 + (int)(**format - L'0');
    return value;
}

static void keep_number(struct conversion *it, int value)
{
    char digits[12];
    snprintf(digits, sizeof digits, "%d", value);
    for (int i = 0; digits[i] != 0; i++)
        keep(it, (wchar_t)digits[i]);
}

static void modifiers(struct conversion *it, const wchar_t **format)
{
    while (**format == L'h' || **format == L'l' || **format == L'j' || **format == L'z' || **format == L't') {
        it->modifier = **format == L'l' && it->modifier == L'l' ? L'L' : **format;
        keep(it, **format);
        (*format)++;
    }
}

static void read_conversion(struct conversion *it, const wchar_t **format, va_list *list)
{
    *it = (struct conversion){.text = "%", .length = 1, .precision = -1};
    for (; **format == L'-' || **format == L'+' || **format == L' ' || **format == L'#' || **format == L'0'; (*format)++) {
        it->left |= **format == L'-';
        keep(it, **format);
    }
    it->width = number(format, list);
    if (it->width < 0) {
        it->left = 1;
        it->width = -it->width;
        keep(it, L'-');
    }
    if (it->width > 0)
        keep_number(it, it->width);
    if (**format == L'.') {
        (*format)++;
        it->precision = number(format, list);
        if (it->precision >= 0) {
            keep(it, L'.');
            keep_number(it, it->precision);
        }
    }
    modifiers(it, format);
}

static void put_narrow(struct target *out, const char *text)
{
    for (; *text != 0; text++)
        put(out, (wchar_t)*text);
}

static void put_number(struct target *out, struct conversion *it, wchar_t letter, va_list *list)
{
    char text[512];
    int length;
    it->text[it->length++] = (char)letter;
    it->text[it->length] = 0;
    if (it->modifier == L'L' || it->modifier == L'j')
        length = snprintf(text, sizeof text, it->text, va_arg(*list, long long));
    else if (it->modifier == L'l' || it->modifier == L'z' || it->modifier == L't')
        length = snprintf(text, sizeof text, it->text, va_arg(*list, long));
    else
        length = snprintf(text, sizeof text, it->text, va_arg(*list, int));
    if (length < 0 || (size_t)length >= sizeof text)
        __belay_unsupported("wide output: a long number");
    put_narrow(out, text);
}

static void put_float(struct target *out, struct conversion *it, wchar_t letter, va_list *list)
{
    char text[512];
    it->text[it->length++] = (char)letter;
    it->text[it->length] = 0;
    int length = snprintf(text, sizeof text, it->text, va_arg(*list, double));
    if (length < 0 || (size_t)length >= sizeof text)
        __belay_unsupported("wide output: a long number");
    put_narrow(out, text);
}

static void put_character(struct target *out, const struct conversion *it, va_list *list)
{
    wchar_t c = (wchar_t)va_arg(*list, int);
    pad(out, it->left ? 0 : it->width - 1);
    put(out, it->modifier == L'l' ? c : (wchar_t)(unsigned char)c);
    pad(out, it->left ? it->width - 1 : 0);
}

static void put_wide(struct target *out, const struct conversion *it, const wchar_t *text)
{
    int length = 0;
    while ((it->precision < 0 || length < it->precision) && text[length] != 0)
        length++;
    read_apart(out, text, ((size_t)length + 1) * sizeof *text);
    pad(out, it->left ? 0 : it->width - length);
    for (int i = 0; i < length; i++)
        put(out, text[i]);
    pad(out, it->left ? it->width - length : 0);
}

static void put_bytes(struct target *out, const struct conversion *it, const char *text)
{
    int length = 0;
    while ((it->precision < 0 || length < it->precision) && text[length] != 0)
        length++;
    read_apart(out, text, (size_t)length + 1);
    pad(out, it->left ? 0 : it->width - length);
    for (int i = 0; i < length; i++) {
        if (text[i] < 0)
            __belay_unsupported("wide output: a byte that is not ASCII");
        put(out, (wchar_t)text[i]);
    }
    pad(out, it->left ? it->width - length : 0);
}

static void put_conversion(struct target *out, const wchar_t **format, va_list *list)
{
    struct conversion it;
    read_conversion(&it, format, list);
    switch (**format) {
    case L'%':
        put(out, L'%');
        break;
    case L'c':
        put_character(out, &it, list);
        break;
    case L's':
        if (it.modifier == L'l')
            put_wide(out, &it, va_arg(*list, const wchar_t *));
        else
            put_bytes(out, &it, va_arg(*list, const char *));
        break;
    case L'd': case L'i': case L'u': case L'o': case L'x': case L'X':
        put_number(out, &it, **format, list);
        break;
    case L'f': case L'F': case L'e': case L'E': case L'g': case L'G': case L'a': case L'A':
        put_float(out, &it, **format, list);
        break;
    default:
        __belay_unsupported("wide output: this conversion");
    }
}

int vswprintf(wchar_t *s, size_t n, const wchar_t *format, va_list args)
{
    struct target out = {s, n, 0, s, n <= SIZE_MAX / sizeof *s ? n * sizeof *s : SIZE_MAX};
    va_list list;
    if (n == 0)
        return -1;
    va_copy(list, args);
    for (; *format != 0; format++) {
        if (*format != L'%') {
            put(&out, *format);
            continue;
        }
        format++;
        put_conversion(&out, &format, &list);
    }
    va_end(list);
    *out.at = 0;
    return out.full ? -1 : (int)(out.at - s);
}
