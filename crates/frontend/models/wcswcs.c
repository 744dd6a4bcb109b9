/* X/Open: wcsstr. */
#include "belay.h"

wchar_t *wcsstr(const wchar_t *haystack, const wchar_t *needle);

wchar_t *wcswcs(const wchar_t *haystack, const wchar_t *needle)
{
    return wcsstr(haystack, needle);
}
