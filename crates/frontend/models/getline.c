/* POSIX: getdelim up to a newline. */
#include "belay.h"

ssize_t getline(char **line, size_t *size, FILE *stream)
{
    return getdelim(line, size, '\n', stream);
}
