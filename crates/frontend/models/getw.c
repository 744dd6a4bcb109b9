/* X/Open: any int, or EOF at the end. */
#include "belay.h"

int getw(FILE *stream)
{
    int word;
    return fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}
