/* glibc's own name of getdelim. */
#include "belay.h"

ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    return getdelim(line, size, delimiter, stream);
}
