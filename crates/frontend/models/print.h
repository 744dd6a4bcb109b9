/* What the functions that print wide text share: the format and every string argument are read; the text itself is not kept.
 * The count is exact where only characters and strings are printed, without width or precision, and any number otherwise. */
#ifndef PRINT_H
#define PRINT_H

#include "belay.h"

static void skip_number(const wchar_t **at)
{
    while (**at >= L'0' && **at <= L'9')
        (*at)++;
}

/* How many l's, h's or other length letters stand here; they are skipped. */
static wchar_t length_modifier(const wchar_t **at)
{
    wchar_t last = 0;
    while (**at == L'l' || **at == L'h' || **at == L'z' || **at == L'j' || **at == L't') {
        last = **at == L'l' && last == L'l' ? L'L' : **at;
        (*at)++;
    }
    return last;
}

static void read_integer(wchar_t modifier, va_list *list)
{
    if (modifier == L'L' || modifier == L'j')
        (void)va_arg(*list, long long);
    else if (modifier == L'l' || modifier == L'z' || modifier == L't')
        (void)va_arg(*list, long);
    else
        (void)va_arg(*list, int);
}

static int read_string(wchar_t modifier, va_list *list)
{
    if (modifier != L'l')
        return (int)strlen(va_arg(*list, const char *));
    const wchar_t *text = va_arg(*list, const wchar_t *);
    int length = 0;
    while (text[length] != 0)
        length++;
    return length;
}

static int print_wide(const wchar_t *format, va_list *list)
{
    int count = 0;
    _Bool exact = 1;
    for (const wchar_t *at = format; *at != 0; at++) {
        if (*at != L'%') {
            count++;
            continue;
        }
        at++;
        const wchar_t *plain = at;
        while (*at == L'-' || *at == L'+' || *at == L' ' || *at == L'#' || *at == L'0')
            at++;
        skip_number(&at);
        if (*at == L'.') {
            at++;
            skip_number(&at);
        }
        exact = exact && at == plain;
        wchar_t modifier = length_modifier(&at);
        switch (*at) {
        case L'%':
            count++;
            break;
        case L'c':
            count++;
            read_integer(modifier, list);
            break;
        case L's':
            count += read_string(modifier, list);
            break;
        case L'd': case L'i': case L'u': case L'o': case L'x': case L'X':
            exact = 0;
            read_integer(modifier, list);
            break;
        case L'p':
            exact = 0;
            (void)va_arg(*list, void *);
            break;
        case L'f': case L'e': case L'g':
            exact = 0;
            (void)va_arg(*list, double);
            break;
        default:
            __belay_unsupported("wide output: this conversion");
        }
    }
    if (exact)
        return count;
    int written = __VERIFIER_nondet_int();
    __VERIFIER_assume(written >= 0);
    return written;
}

#endif
