/* POSIX: a line of any length up to and with the delimiter, in a heap block that grows. *line is NULL or a heap block of *size
 * bytes, which realloc may move. How large it has become when it was made larger is open: runs begin with glibc's 120 bytes and double them. */
#include "belay.h"

ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    size_t used = 0, given = *line == NULL ? 0 : *size;
    if (*line == NULL || *size == 0) {
        char *block = realloc(*line, 120);
        if (block == NULL)
            return -1;
        *line = block;
        *size = 120;
    }
    for (;;) {
        int c = fgetc(stream);
        if (c == EOF && used == 0)
            return -1;
        if (c == EOF)
            break;
        if (used + 1 >= *size) {
            char *block = *size <= SIZE_MAX / 2 ? realloc(*line, 2 * *size) : NULL;
            if (block == NULL)
                return -1;
            *line = block;
            *size *= 2;
        }
        (*line)[used++] = (char)c;
        if (c == delimiter)
            break;
    }
    (*line)[used] = '\0';
    if (*size != given && belay_otherwise("how large getdelim makes the block is open")) {
        size_t other = used + 1 + belay_size_at_most(SIZE_MAX / 4);
        char *block = realloc(*line, other);
        __VERIFIER_assume(block != NULL);
        *line = block;
        *size = other;
    }
    return (ssize_t)used;
}
