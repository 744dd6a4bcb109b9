/* GNU: fputs. */
#include "belay.h"

int fputs_unlocked(const char *s, FILE *stream)
{
    return fputs(s, stream);
}
