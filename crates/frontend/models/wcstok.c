/* C17 7.29.4.5.7. s, or *rest if s is null, and delimiters are wide strings; written where a token ends. */
#include "belay.h"

size_t wcsspn(const wchar_t *s, const wchar_t *accept);
size_t wcscspn(const wchar_t *s, const wchar_t *reject);

wchar_t *wcstok(wchar_t *s, const wchar_t *delimiters, wchar_t **rest)
{
    if (s == NULL) {
        if (*rest == NULL)
            return NULL;
        s = *rest;
    }
    s += wcsspn(s, delimiters);
    if (*s == 0) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = s + wcscspn(s, delimiters);
    if (*end == 0) {
        *rest = NULL;
    } else {
        *end = 0;
        *rest = end + 1;
    }
    return s;
}
