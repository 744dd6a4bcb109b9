/* C17 7.21.4.4: some name of 13 to 19 bytes, or NULL. name is null or has L_tmpnam (20) bytes; without one the name stands in a place
 * that a later call overwrites. */
#include "belay.h"

char *tmpnam(char *name)
{
    static char place[20];
    char *result = name == NULL ? place : name;
    __belay_precondition(belay_region(result, sizeof place), "tmpnam: buffer has L_tmpnam bytes");
    if (__VERIFIER_nondet_bool())
        return NULL;
    size_t length = belay_size_at_most(sizeof place - 1);
    __VERIFIER_assume(length > 0);
    result[0] = '/';
    for (size_t i = 1; i < length; i++) {
        result[i] = __VERIFIER_nondet_char();
        __VERIFIER_assume(result[i] != '\0');
    }
    result[length] = '\0';
    return result;
}
