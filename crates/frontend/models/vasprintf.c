/* GNU: a heap block that holds the text and its NUL into *out, and the number of characters; -1 if there is no memory, and then *out is open. The format and every
 * string argument are terminated. */
#include "belay.h"

int vsnprintf(char *dst, size_t n, const char *format, va_list list);

int vasprintf(char **out, const char *format, va_list args)
{
    va_list list;
    va_copy(list, args);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0)
        return -1;
    char *text = malloc((size_t)length + 1);
    if (text == NULL) {
        errno = ENOMEM;
        if (belay_otherwise("what vasprintf leaves where it fails is open"))
            __belay_fill(out, sizeof *out);
        return -1;
    }
    va_copy(list, args);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    *out = text;
    return length;
}
