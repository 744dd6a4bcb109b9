/* POSIX: the six X at the end of the template become other characters; a new descriptor, or -1 with errno set. template is a string; EINVAL if
 * it does not end in six X. */
#include "belay.h"

int mkstemp(char *template)
{
    size_t length = strlen(template);
    for (int i = 1; i <= 6; i++)
        if (length < 6 || template[length - (size_t)i] != 'X') {
            errno = EINVAL;
            return -1;
        }
    for (int i = 1; i <= 6; i++) {
        char c = __VERIFIER_nondet_char();
        __VERIFIER_assume((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
        template[length - (size_t)i] = c;
    }
    return belay_descriptor();
}
