/* C17 7.29.6.3.1: mbrtowc, without a place for the character. */
#include "belay.h"

size_t mbrlen(const char *s, size_t n, mbstate_t *state)
{
    return mbrtowc(NULL, s, n, state);
}
