/* C17 7.21.9.3: as fseek, to a position that fgetpos gave. position points to an fpos_t. */
#include "belay.h"

int fsetpos(FILE *stream, const fpos_t *position)
{
    return fseek(stream, position->position, 0);
}
