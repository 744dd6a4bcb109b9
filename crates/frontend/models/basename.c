/* GNU (string.h): what follows the last slash. path is a string, and is not changed. The function of libgen.h has another
 * symbol, __xpg_basename. */
#include "belay.h"

char *basename(const char *path)
{
    char *slash = strrchr(path, '/');
    return slash == NULL ? (char *)path : slash + 1;
}
