/* C17 7.29.3.9: fputwc to stdout. */
#include "belay.h"

wint_t fputwc(wchar_t c, FILE *stream);

wint_t putwchar(wchar_t c)
{
    return fputwc(c, stdout);
}
