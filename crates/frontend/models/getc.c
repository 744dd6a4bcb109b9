/* C17 7.21.7.5: fgetc. */
#include "belay.h"

int getc(FILE *stream)
{
    return fgetc(stream);
}
