/* BSD: cuts the next field off *string, NULL when there is none left. Both are strings. */
#include "belay.h"

char *strsep(char **string, const char *delimiters)
{
    char *field = *string;
    if (field == NULL)
        return NULL;
    char *end = field + strcspn(field, delimiters);
    if (*end == '\0') {
        *string = NULL;
    } else {
        *end = '\0';
        *string = end + 1;
    }
    return field;
}
