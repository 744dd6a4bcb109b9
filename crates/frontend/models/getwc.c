/* C17 7.29.3.6: fgetwc. */
#include "belay.h"

wint_t getwc(FILE *stream)
{
    return fgetwc(stream);
}
