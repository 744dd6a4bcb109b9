/* GNU: the text of strerror, which is not to be written, or a text in buffer, which has n bytes. */
#include "belay.h"

char *strerror_r(int number, char *buffer, size_t n)
{
    __belay_precondition(belay_region(buffer, n), "strerror_r: buffer has n bytes");
    if (number >= 0 && number <= 133 && number != 41 && number != 58)
        return strerror(number);
    char text[32]; /* that of strerror stays as it is */
    snprintf(text, sizeof text, "Unknown error %d", number);
    if (n == 0)
        return buffer;
    size_t length = strnlen(text, n - 1);
    for (size_t i = 0; i < length; i++)
        buffer[i] = text[i];
    buffer[length] = '\0';
    return buffer;
}
