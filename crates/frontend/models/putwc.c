/* C17 7.29.3.8: fputwc. */
#include "belay.h"

wint_t fputwc(wchar_t c, FILE *stream);

wint_t putwc(wchar_t c, FILE *stream)
{
    return fputwc(c, stream);
}
